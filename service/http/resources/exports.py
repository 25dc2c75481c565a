"""Exports: the records of all finished games in one stream that can be cut off and gone on with."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import Any, Final

import msgspec
from flask import Response

from events.game.record import RecordBroken, write_record
from events.store.errors import GameNotFound, StoreDamaged, StoreError
from events.transparency.game_head import GameHead
from service.http.context.limits import shares_of
from service.http.context.places import Places
from service.http.context.services import Services, services
from service.http.context.turns import turns
from service.http.contract.access import holders_of
from service.http.contract.headers import FILE
from service.http.contract.operation import Operation, Resource
from service.http.contract.problems import LISTED, of
from service.http.messages.problems import Problem
from service.http.resources.game.records import attachments_of
from service.http.schemas.queries import ExportQuery
from service.verification.exporting import BadPlace, Ended, Place, Wanted, feed_ends, list_ended_since
from service.verification.stored_record import GameUnreadable, read_stored_record

AT_ONCE: Final = 2
"""Exports under way in one process of the interface at most: each holds a thread."""
OF_ONE: Final = 1
"""Of these of one caller, and of one address, at most."""
IN_MEMORY: Final = 1024 * 1024
"""Bytes of a record that are kept in memory until it is known to be whole; a longer one lies in a file meanwhile."""
_CHUNK: Final = 64 * 1024
_LINES: Final = 200
"""Lines of a record that are made in one turn."""
SCOPE: Final = "audit"
"""The scope of a key that may export: it sees every finished game, private ones too."""
NDJSON: Final = "application/x-ndjson"

blueprint = Resource("exports", __name__, url_prefix="/v1/exports", description="Exports")
_places = Places()
_log = logging.getLogger("fieldbook.exports")


@blueprint.get("/games")
@Operation(
    holders_of(SCOPE),
    problems=LISTED | of(503, "too_many_exports"),
    gives=(FILE,),
    forms={NDJSON: "Records, each with a line after it."},
)
@blueprint.arguments(ExportQuery, location="query")
def export_games(query: dict[str, Any]) -> Response:
    """Download the records of finished games one after the other, in the order in which they ended.

    After each record stands a line with `after`: what to go on with. The last line says whether that was
    everything (`complete`).
    """
    wanted = Wanted(query["system"], query["finished_after"], query["finished_before"])
    stretch = begin_export(query["after"], wanted)
    response = stretch.answer(_lines(services(), stretch, query["limit"]))
    response.headers["Content-Disposition"] = 'attachment; filename="games.ndjson"'
    return response


@dataclass(frozen=True)
class Stretch:
    """The finished games that one export is about; while it is under way it holds a place among exports.

    Attributes:
        games: the games, in the order in which they ended.
        ends: the place behind all of them.
    """

    games: Iterator[Ended]
    ends: tuple[int, ...]
    _place: Place
    _shares: dict[str, int]

    def written(self, place: tuple[int, ...]) -> str:
        """What to go on with behind a place."""
        return self._place.written(place)

    def answer(self, lines: Iterator[bytes]) -> Response:
        """The answer with these lines; when it is out, or nobody takes it, the place is free again."""
        response = Response(lines, content_type=NDJSON)
        response.headers["Cache-Control"] = "no-store"
        response.call_on_close(lambda: _places.give_back(self._shares))
        return response


def begin_export(after: str | None, wanted: Wanted) -> Stretch:
    """Take a place among exports, for the wanted games that ended behind a place.

    Raises:
        Problem: 400 where the place is none of ours, 503 where other exports are under way, or the caller's.
        StoreUnavailable
    """
    store = services().store
    place = Place(store)
    try:
        begin = place.read(after)
    except BadPlace as error:
        detail = "This is not from an export of this service; begin without it."
        raise Problem(400, "bad_cursor", detail) from error
    ends = feed_ends(store)
    shares = shares_of(AT_ONCE, OF_ONE)
    if _places.take(shares) is not None:
        detail = "Other exports are under way, or another one of yours; try again when they are done."
        raise Problem(503, "too_many_exports", detail, headers={"Retry-After": "30"})
    return Stretch(list_ended_since(store, begin, ends, wanted), ends, place, shares)


def _lines(found: Services, stretch: Stretch, limit: int | None) -> Iterator[bytes]:
    """The lines of an export; where the store fails it stops without its last line."""
    told = 0
    try:
        for ended in stretch.games:
            yield from _record(found, ended)
            told += 1
            yield _line({"after": stretch.written(ended.place), "game": ended.game})
            if told == limit:
                yield _line({"after": stretch.written(ended.place), "complete": False})
                return
        yield _line({"after": stretch.written(stretch.ends), "complete": True})
    except StoreError as error:
        _log.warning("an export was cut off after %d games: %s", told, error)


def _record(found: Services, ended: Ended) -> Iterator[bytes]:
    """A game's whole record, the same as it is downloaded alone, or a line that says why there is none."""
    if not ended.hash:
        yield _mark_left_out(ended.game, "log_damaged", "its end cannot be read")
        return
    # Written out before a line of it is sent: what cannot be read to its end is left out whole.
    with SpooledTemporaryFile(IN_MEMORY) as whole:
        try:
            header, forms = read_stored_record(found.store, ended.game, ended.version)
            head = GameHead(ended.game, ended.version, ended.hash, "finished")
            lines = write_record(header, forms, attachments_of(found, head, None))
            is_more = True
            while is_more:
                with turns.at_long_work(None):
                    piece = [*islice(lines, _LINES)]
                    whole.writelines(piece)
                is_more = bool(piece)
        except (GameNotFound, RecordBroken, StoreDamaged) as error:
            yield _mark_left_out(ended.game, "log_damaged", error)
            return
        except GameUnreadable as error:
            yield _mark_left_out(ended.game, "game_unreadable", error)
            return
        whole.seek(0)
        while chunk := whole.read(_CHUNK):
            yield chunk


def _mark_left_out(game: str, code: str, reason: object) -> bytes:
    _log.error("game %s is left out of an export: %s", game, reason)
    return _line({"left_out": game, "code": code})


def _line(value: dict[str, Any]) -> bytes:
    return msgspec.json.encode(value) + b"\n"
