"""The game as it stands for a caller: waited for where they know it, and what they missed where they don't."""

from http import HTTPStatus
from typing import Any

from events.game.table import Table
from service.http.context.callers import Viewpoint, admit, view_as
from service.http.context.cursors import (
    Cursor,
    cursor_in,
    missed_after,
    refuse_another_history,
    with_own_hash,
)
from service.http.context.services import services
from service.http.follow.waiting import begin_waiting, wait
from service.http.messages.problems import Problem, from_staleness
from service.play.deciding import Request, Stale
from service.play.tables import LoadedGame


def newest(seen: Viewpoint, query: dict[str, Any]) -> Viewpoint:
    """The game as it stands; where it stands at `after`, as soon as it has moved on, or when `wait` is over.

    Raises:
        Problem: the game has not come so far as `after`, or that is from another history.
    """
    begun = cursor_in(query["after"])
    if begun is None:
        return seen
    if not begun.hash:
        check_reached(seen.table, begun.version)
    refuse_another_history(seen.loaded, begun, seen.viewer, HTTPStatus.CONFLICT)
    return advance(seen, begun, query)


def advance(seen: Viewpoint, begun: Cursor, query: dict[str, Any]) -> Viewpoint:
    """The game as it stands or, where that is where the caller is, as it stands when `wait` is over.

    Raises:
        Problem: it has lost the history that the caller is in, or the caller may not see it any more.
    """
    if query["wait"] and begun.version == seen.table.version and seen.table.state.status != "finished":
        begun = with_own_hash(seen.loaded, begun)
        wait_for_news(seen, query["wait"])
        seen = view_as(admit(seen.table.game), query.get("viewer"))
        refuse_another_history(seen.loaded, begun, seen.viewer, HTTPStatus.CONFLICT)
    return seen


def check_reached(table: Table, version: int) -> None:
    """Refuse a version that is yet to come.

    Raises:
        Problem: 404.
    """
    if version > table.version:
        raise Problem(
            404, "no_such_version", f"The game is at version {table.version}; {version} is yet to come."
        )


def table_at(loaded: LoadedGame, version: int) -> Table:
    """The table as it was at a version that has been.

    Raises:
        Problem: 404 for one that is yet to come.
    """
    check_reached(loaded.table, version)
    return services().tables.at(loaded, version)


def refuse_stale(stale: Stale, sent: Request) -> Problem:
    """The answer to a seat's request: 412 with the first events that its sender has not seen.

    Raises:
        Problem: the version never was in the log as it stands.
        StoreUnavailable
    """
    seat = sent.actor
    version, prefix = sent.expected if sent.expected is not None else (0, "")
    refuse_another_history(stale.loaded, Cursor(version, prefix), seat, HTTPStatus.PRECONDITION_FAILED)
    return from_staleness(stale, version, missed_after(stale.loaded, version, seat), seat)


def wait_for_news(seen: Viewpoint, seconds: int) -> None:
    """Wait until the caller may see more of a game than this, so many seconds at most.

    Spectators who are behind wait for several moves. The caller is to be admitted anew afterwards: a token may have
    been revoked meanwhile.

    Raises:
        Problem: 503 when all places for waiting are taken.
        GameNotFound
    """
    waiting = begin_waiting(seen.table.game, seen.caller.seat, seconds)
    if waiting is None:
        raise no_place()

    def moves_on() -> int | None:
        now = seen.advance(services())
        return now.log_version if now.table.hash == seen.table.hash else None

    wait(waiting, moves_on)


def no_place() -> Problem:
    """The answer where as many streams, or long polls, are open as there may be."""
    detail = (
        "As many streams or long polls are open as this process holds; try again, or read pages with 'after'."
    )
    return Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})
