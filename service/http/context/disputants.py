"""Who has to do with a case: from a caller to the person that the cases know; and refusals as problems."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from events.disputes.errors import DisputeRefused
from events.disputes.facts import Person, seat_name
from service.access.rights import Rights
from service.http.context.bearers import CHALLENGE
from service.http.context.callers import Caller, admit
from service.http.context.services import services
from service.http.messages.problems import Problem

ARBITRATE: Final = "arbitrate"
STATUS: Final = {
    "not_at_table": HTTPStatus.FORBIDDEN,
    "not_a_party": HTTPStatus.FORBIDDEN,
    "not_the_opener": HTTPStatus.FORBIDDEN,
    "not_the_arbiter": HTTPStatus.FORBIDDEN,
    "own_game": HTTPStatus.FORBIDDEN,
    "same_arbiter": HTTPStatus.FORBIDDEN,
    "no_such_dispute": HTTPStatus.NOT_FOUND,
    "no_such_version": HTTPStatus.NOT_FOUND,
    "already_disputed": HTTPStatus.CONFLICT,
    "already_accepted": HTTPStatus.CONFLICT,
    "already_applied": HTTPStatus.CONFLICT,
    "too_late": HTTPStatus.CONFLICT,
    "too_many_claims": HTTPStatus.CONFLICT,
    "too_many_disputes": HTTPStatus.CONFLICT,
    "too_many_pauses": HTTPStatus.CONFLICT,
    "too_much_evidence": HTTPStatus.CONFLICT,
    "wrong_case_status": HTTPStatus.CONFLICT,
}
"""Refusals that are no 422."""


@dataclass(frozen=True, slots=True)
class Disputant:
    """Somebody who may do something about cases of a game."""

    person: Person
    arbitrates: bool


def from_refusal(refused: DisputeRefused) -> Problem:
    """The problem that says why nothing has happened."""
    status = STATUS.get(refused.code, HTTPStatus.UNPROCESSABLE_ENTITY)
    return Problem(status, refused.code, str(refused), **refused.members)


def find_disputant(may: Callable[[Caller], bool], code: str, detail: str) -> Callable[..., Disputant]:
    """What finds out who wants to do something about cases of a game.

    It raises:
        Problem: 401 without a token, 403 with this code for whoever may not.
        GameNotFound: there is no such game, for this caller.
    """

    def find(game: str, **_others: str) -> Disputant:
        caller = admit(game)
        if caller.key is None and caller.seat is None and caller.spectator is None:
            missing = "This needs the token of a seat of this game, or a key."
            raise Problem(401, "token_required", missing, headers=CHALLENGE)
        if may(caller) and caller.seat is not None:
            name = services().tables.recent(game).table.state.seats[caller.seat].name
            return Disputant(Person(seat_name(caller.seat), name), arbitrates=False)
        if may(caller) and caller.key is not None:
            return Disputant(Person(caller.key.id, caller.key.name), may_arbitrate(caller))
        raise Problem(403, code, detail)

    return find


def check_finished(may: Callable[[Caller], bool], detail: str) -> Callable[..., None]:
    """What lets only those pass until a game has finished who may see this before.

    It raises:
        Problem: 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """

    def check(game: str, **_others: str) -> None:
        if not may(admit(game)) and services().tables.newest(game).table.state.status != "finished":
            raise Problem(403, "game_not_finished", detail)

    return check


def is_at_table(rights: Rights) -> bool:
    """Whether somebody has a seat, or has set the game up."""
    return rights.seat is not None or rights.is_creator


def may_arbitrate(rights: Rights) -> bool:
    """Whether somebody has a key with the scope to arbitrate."""
    return rights.may(ARBITRATE)


def sees_cases(rights: Rights) -> bool:
    """Whether somebody may see the cases of a game that has not finished.

    What people at a table of a duplicate round write to an arbiter is hidden from its organiser as the table is.
    """
    return (is_at_table(rights) and rights.delay == 0) or may_arbitrate(rights)


def is_party(caller: Caller) -> bool:
    """Return whether a caller has a part in the cases of a game: at the table, and able to see them."""
    return is_at_table(caller) and _is_shown(caller)


def adds_to_cases(caller: Caller) -> bool:
    """Return whether a caller may add to the cases of a game."""
    return is_party(caller) or may_arbitrate(caller)


def _is_shown(caller: Caller) -> bool:
    return sees_cases(caller) or services().tables.newest(caller.game).table.state.status == "finished"
