"""Boards: how strong players are, and which games have made them so."""

from collections.abc import Iterable
from typing import Any

import msgspec
from flask import Response

from replay.ratings.document import board_row, seat_row
from replay.ratings.model import VERSION
from replay.ratings.pool import PoolName
from replay.ratings.times import ALWAYS, PACES
from service.http.context.services import services
from service.http.contract.access import ANYBODY, holders_of
from service.http.contract.operation import Link, Operation, Resource, next_page
from service.http.contract.problems import LISTED, NAMED, STORE
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.schemas.ratings import ChangesQuery, RatingsQuery
from service.projections.list_cursors import read_cursor, write_cursor
from service.ratings.rating_run import RatingRun

blueprint = Resource("ratings", __name__, url_prefix="/v1/ratings", description="Ratings")


@blueprint.get("")
@Operation(
    ANYBODY,
    "RatingsAnswer",
    LISTED | STORE,
    links={
        **next_page("list_ratings"),
        "games": Link("show_rating", {"player": "$response.body#/players/0/player"}, "What made it so."),
    },
)
@blueprint.arguments(RatingsQuery, location="query")
def list_ratings(query: dict[str, Any]) -> Response:
    """List the players of a pool, the best first; figures are ten-thousandths.

    Public games count, a minute or so after they have ended. `fieldbook replay ratings` computes the same from their
    records. `times` are the boards of this system and pool: of all games, of those with a clock of less than a day,
    with a slower one and with none, and of those that ended in a month, the newest first.
    """
    records = services().ratings
    generation, name = _pool(query)
    first = _first(query["cursor"])
    board = records.board(generation, name, first, query["limit"] + 1)
    shown = board[: query["limit"]]
    names = services().shown_names.of(who for who, _ in shown)
    players = [{**board_row(*each), "name": names.get(each[0])} for each in shown]
    seats = sorted(records.pool(generation, name, ()).seats.items())
    following = write_cursor((first + len(shown), "")) if len(board) > len(shown) else None
    answer = {
        **name._asdict(),
        "ratings_version": VERSION,
        "players": players,
        "seats": [seat_row(*each) for each in seats],
        "times": _times(records.pools(generation), name),
        "next": following,
    }
    return json_response(answer)


@blueprint.get("/inputs")
@Operation(holders_of("audit"), "RatingInputsAnswer")
def read_rating_inputs() -> Response:
    """Read what no record tells and boards go by, as `fieldbook replay ratings --inputs` takes it."""
    return json_response(msgspec.to_builtins(RatingRun(services().store).inputs()))


@blueprint.get("/<string:player>")
@Operation(ANYBODY, "RatingAnswer", NAMED | LISTED | STORE)
@blueprint.arguments(ChangesQuery, location="query")
def show_rating(query: dict[str, Any], player: str) -> Response:
    """Show how a player stands, and what each game has changed, the newest first."""
    records = services().ratings
    generation, name = _pool(query)
    who = services().players.merged_into(player) or player
    standing = records.pool(generation, name, [who]).standings.get(who)
    if standing is None:
        raise Problem(404, "not_found", "Nobody of this id stands on this board.")
    first = _first(query["cursor"])
    found = records.changes(generation, name, who, first, query["limit"] + 1)
    changes = found[: query["limit"]]
    answer = {
        **name._asdict(),
        "player": who,
        "name": services().shown_names.of([who]).get(who),
        "standing": board_row(who, standing),
        "changes": changes,
        "next": write_cursor((first + len(changes), "")) if len(found) > len(changes) else None,
    }
    return json_response(answer)


@blueprint.get("/<string:player>/boards")
@Operation(
    ANYBODY,
    "RatingBoardsAnswer",
    NAMED | STORE,
    links={"games": Link("show_rating", {"player": "$response.body#/player"}, "What made it so.")},
)
def list_boards_of_player(player: str) -> Response:
    """List the boards of all times on which a player stands; 404 where they have played no game that counts."""
    records = services().ratings
    generation = records.generation()
    who = services().players.merged_into(player) or player
    found = []
    for name in _newest(each for each in records.pools(generation) if each.time == ALWAYS):
        standing = records.pool(generation, name, [who]).standings.get(who)
        if standing is not None:
            found.append({**name._asdict(), **board_row(who, standing)})
    if not found:
        raise Problem(404, "not_found", "Nobody of this id stands on a board.")
    answer = {"player": who, "name": services().shown_names.of([who]).get(who), "boards": found}
    return json_response(answer)


def _pool(query: dict[str, Any]) -> tuple[int, PoolName]:
    """The boards in use, and which one is asked for: of the newest version of the system that has one."""
    records = services().ratings
    generation = records.generation()
    wanted = PoolName(query["system"], 1, query["pool"], query["time"])
    named = [each for each in records.pools(generation) if each._replace(system_version=1) == wanted]
    return generation, max(named, default=wanted)


def _newest(pools: Iterable[PoolName]) -> list[PoolName]:
    """Those of the newest version of their system, in the order of their names."""
    newest = {each._replace(system_version=1): each for each in sorted(pools)}
    return [*newest.values()]


def _times(pools: Iterable[PoolName], name: PoolName) -> list[str]:
    """The boards that there are of this one's system and pool."""
    found = {each.time for each in pools if (each.system, each.pool) == (name.system, name.pool)}
    months = sorted(found - {ALWAYS, *PACES}, reverse=True)
    return [*(each for each in (ALWAYS, *PACES) if each in found), *months]


def _first(cursor: str | None) -> int:
    return 0 if cursor is None else read_cursor(cursor)[0]
