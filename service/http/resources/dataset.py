"""Tables of the dataset over HTTP: rows of finished games, in a stream that can be cut off and gone on with."""

import logging
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

import msgspec
from flask import Response

from events.store.errors import StoreError
from replay.across.dataset.format import TABLES
from replay.across.dataset.manifest import HIDDEN, PUBLIC
from replay.across.dataset.told_game import month_bounds
from replay.across.left import Left
from service.across.told_rows import tell_rows
from service.http.context.services import services
from service.http.context.turns import turns
from service.http.contract.access import holders_of
from service.http.contract.operation import Operation, Resource
from service.http.contract.problems import LISTED, of
from service.http.messages.pieces import PIECE
from service.http.resources.exports import NDJSON, SCOPE, Stretch, begin_export
from service.http.schemas.queries import DatasetQuery
from service.storage.store import Store
from service.verification.exporting import Ended, Wanted

blueprint = Resource("dataset", __name__, url_prefix="/v1/dataset", description="Exports")
_BY_NAME: Final = MappingProxyType({table.name: table for table in TABLES})
_log = logging.getLogger("fieldbook.exports")


@blueprint.get("")
@Operation(
    holders_of(SCOPE),
    problems=LISTED | of(503, "too_many_exports"),
    forms={NDJSON: "A line for each game with its rows, or with why it has none; the last line says how on."},
)
@blueprint.arguments(DatasetQuery, location="query")
def read_dataset(query: dict[str, Any]) -> Response:
    """Read one table of the dataset: the rows of finished games, in the order in which they ended.

    Every game is verified first. Each line has `after`: what to go on with, and `left`: how many games the answer has
    left out up to it, by reason. The last one says whether that was everything (`complete`).
    """
    since, before = (None, None) if query["month"] is None else month_bounds(query["month"])
    stretch = begin_export(query["after"], Wanted(query["system"], since, before))
    lines = _cut(_lines(services().store, stretch, query))
    return stretch.answer(lines)


def _lines(store: Store, stretch: Stretch, query: dict[str, Any]) -> Iterator[bytes]:
    """The lines of the answer; where the store fails it stops without its last line."""
    left: Counter[str] = Counter()
    games = iter(stretch.games)
    try:
        last = None
        for ended in islice(games, query["limit"]):
            last = ended
            told = _tell(store, ended, query)
            if isinstance(told, Left):
                left[told.reason.value] += 1
                if query["audience"] == PUBLIC and told.reason in HIDDEN:
                    continue
                told = {"left_out": told.reason.value, "detail": told.detail}
            # Counted up to here: whoever is cut off goes on behind this line, and hidden games have none.
            counts = dict(sorted(left.items()))
            yield _line({"game": ended.game, **told, "after": stretch.written(ended.place), "left": counts})
        is_complete = next(games, None) is None
        place = stretch.ends if is_complete or last is None else last.place
        counts = dict(sorted(left.items()))
        yield _line({"after": stretch.written(place), "complete": is_complete, "left": counts})
    except StoreError as error:
        _log.warning("a table of the dataset was cut off: %s", error)


def _tell(store: Store, ended: Ended, query: dict[str, Any]) -> dict[str, Any] | Left:
    """The rows of a game, or why there are none, made in turn with others' long work."""
    with turns.in_pieces(None, is_alone=lambda: False) as give_way:
        rows = tell_rows(store, ended.game, _BY_NAME[query["table"]], query["left"], give_way)
    return rows if isinstance(rows, Left) else {"rows": rows}


def _line(value: dict[str, Any]) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _cut(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that no event loop is held up by."""
    for line in lines:
        for begin in range(0, len(line), PIECE):
            yield line[begin : begin + PIECE]
