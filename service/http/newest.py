"""A game as it stands, waited for where the caller knows nothing older: what `after` and `wait` ask for."""

from http import HTTPStatus
from typing import Any

from events.table import Table
from service.http.callers import Viewpoint, viewpoint
from service.http.cursors import cursor_given, refuse_another_history, with_own_hash
from service.http.problems import Problem
from service.http.waiting import wait_for_news


def newest(seen: Viewpoint, query: dict[str, Any]) -> Viewpoint:
    """The game as it stands; where it stands at `after`, as soon as it has moved on, or when `wait` is over.

    Raises:
        Problem: the game has not come so far as `after`, or that is from another history.
    """
    begun = cursor_given(query["after"])
    if begun is None:
        return seen
    if not begun.hash:
        check_reached(seen.table, begun.version)
    refuse_another_history(seen.sitting, begun, seen.viewer, HTTPStatus.CONFLICT)
    if query["wait"] and begun.version == seen.table.version and seen.table.state.status != "finished":
        begun = with_own_hash(seen.sitting, begun)
        wait_for_news(seen, query["wait"])
        seen = viewpoint(seen.table.game, query.get("viewer"))
        refuse_another_history(seen.sitting, begun, seen.viewer, HTTPStatus.CONFLICT)
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
