"""A request that insists on a version which is not the game's any more: what its sender has missed."""

from http import HTTPStatus

from service.deciding import Request, Stale
from service.http.bodies import forms
from service.http.cursors import Cursor, refuse_another_history
from service.http.problems import Problem, from_staleness
from service.http.services import services


def missed(game: str, stale: Stale, request: Request) -> Problem:
    """The answer to a seat's request: 412 with the events that its sender has not seen.

    Raises:
        Problem: the version never was in the log as it stands.
        StoreUnavailable
    """
    seat = request.actor
    version, prefix = request.expected if request.expected is not None else (0, "")
    refuse_another_history(stale.sitting, Cursor(version, prefix), seat, HTTPStatus.PRECONDITION_FAILED)
    entries = services().store.read(game, version)
    return from_staleness(stale, version, forms(entries, stale.sitting.table.key, seat), seat)
