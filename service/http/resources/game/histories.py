"""Histories: all tables of a game and its events in sentences, to go to and fro in, as the caller may see them."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final

import msgspec
from flask import Response

from events.game.record import header_for
from events.log.disclosure import ALL, form_for, viewer_name
from replay.exports.page.content import Drawing
from replay.timeline.statistics.tally import compute_statistics
from replay.timeline.timeline import Begin, Timeline, read_timeline
from service.http.context.callers import Caller, view_as
from service.http.context.limits import callers, is_alone, shares_of
from service.http.context.places import Places
from service.http.context.services import services
from service.http.context.turns import too_many, turns
from service.http.contract.access import GUESTS
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import EYES, LONG_WORK
from service.http.messages.caching import drawn_tag, is_known
from service.http.messages.kept_answers import KeptAnswers
from service.http.schemas.queries import HistoryQuery
from service.play.tables import LoadedGame
from service.players.shown_names import players_of
from service.verification.stored_record import read_in_pieces

AT_ONCE: Final = 4
"""Histories being made in one process of the interface at most."""
OF_ONE: Final = 2
"""Of these for one caller, and for one address, at most."""
KEPT_BYTES: Final = 8 * 1024 * 1024
"""Packed bytes of finished games' histories that a process keeps, since they will never be other ones."""
JSON: Final = "application/json"
blueprint = Resource("histories", __name__, url_prefix="/v1/games", description="Scenes")
_places = Places()
_kept = KeptAnswers(KEPT_BYTES)


@blueprint.get("/<string:game>/history")
@Operation(
    GUESTS,
    "HistoryAnswer",
    EYES | LONG_WORK,
    links={"look": Link("show_scene", SAME_GAME, "The table as it stands.")},
)
@blueprint.arguments(HistoryQuery, location="query")
def read_history(query: dict[str, Any], caller: Caller, **_game: str) -> Response:
    """Read all tables of a game and its events as sentences: a finished game's through everybody's eyes.

    A running game's are those that the caller may see. What is answered was verified first, as the record that it is
    made of would be by whoever downloads it.
    """
    seen = view_as(caller, query["viewer"])
    loaded, viewer, language = seen.loaded, seen.viewer, query["text"]
    if query["viewer"] is None and loaded.table.state.status == "finished":
        viewer = ALL
    table = loaded.table
    shown = services().shown_names.of(players_of(table.state))
    # Names to show may change, and what was made with others is not answered any more.
    named = sha256(msgspec.json.encode(sorted(shown.items()))).hexdigest()[:16] if shown else ""
    form = f"history-{named}" if shown else "history"
    tag = drawn_tag(table.version, table.hash, viewer, form, language)
    if is_known(tag):
        return Response(headers={"ETag": tag})

    def make() -> bytes:
        return msgspec.json.encode(_history(loaded, viewer, language, shown))

    # Who may see it was looked at before; what they see is the same for all of them.
    content = (
        make() if table.state.status != "finished" else _kept.get((table.hash, viewer, language, named), make)
    )
    return Response(content, content_type=JSON, headers={"ETag": tag})


def _history(loaded: LoadedGame, viewer: int, language: str, shown: dict[str, str]) -> dict[str, Any]:
    """All tables of a game as a viewer may see them, and its events in a language, with these names for players.

    Raises:
        Problem: 503 where others do as long work, or the caller does.
        StoreUnavailable
    """
    table = loaded.table
    drawing = Drawing(language, all_cards=True, shown=shown)
    with timeline_in_turn(loaded, viewer, table.version, drawing.begin) as timeline:
        content = drawing.content()
        if table.state.status == "finished":
            content["statistics"] = compute_statistics(timeline)
        else:
            content["lapses"] = drawing.lapses()
    return content | {
        "game": table.game,
        "version": table.version,
        "hash": table.hash,
        "viewer": viewer_name(viewer),
        "system": table.state.system,
        "status": table.state.status,
    }


@contextmanager
def timeline_in_turn(
    loaded: LoadedGame, viewer: int, version: int, begin: Begin | None = None
) -> Iterator[Timeline]:
    """A game up to a version as a viewer may see it, verified; it gives way to others while it is read.

    What `begin` has begun with the timeline is told each entry meanwhile.

    Raises:
        Problem: 503 where others do as long work, or the caller does.
        StoreUnavailable
    """
    shares = shares_of(AT_ONCE, OF_ONE)
    if _places.take(shares) is not None:
        raise too_many()
    try:
        table = loaded.table
        with turns.in_pieces(callers(), is_alone) as give_way:
            log = read_in_pieces(services().store, table.game, 0, version)
            forms = (form_for(entry, table.key, viewer) for entry in log)
            yield read_timeline(header_for(table, viewer), forms, viewer, give_way, begin)
    finally:
        _places.give_back(shares)
