"""Who has to do with a case: from a caller to the person that the cases know; and refusals as problems."""

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
    "too_many_disputes": HTTPStatus.CONFLICT,
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


def at_the_table(game: str, **_others: str) -> Disputant:
    """A seat of the game, or the key that set it up.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = _somebody(game)
    if caller.seat is None and not caller.is_creator:
        detail = "Cases are opened by the people at the table, and by the key that set the game up."
        raise Problem(403, "not_at_table", detail)
    return _disputant(caller)


def party(game: str, **_others: str) -> Disputant:
    """Somebody who can be a party of a case.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = _somebody(game)
    if caller.seat is None and not caller.is_creator:
        raise _no_party()
    return _disputant(caller)


def party_or_arbiter(game: str, **_others: str) -> Disputant:
    """Somebody who can be a party of a case, or its arbiter.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = _somebody(game)
    if caller.seat is None and not caller.is_creator and not caller.may(ARBITRATE):
        raise _no_party()
    return _disputant(caller)


def arbiter(game: str, **_others: str) -> Disputant:
    """A key with the scope to arbitrate.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = _somebody(game)
    if not caller.may(ARBITRATE):
        raise Problem(403, "scope_missing", f"This needs a key with the scope '{ARBITRATE}'.")
    return _disputant(caller)


def check_may_see(game: str, **_others: str) -> None:
    """Let pass who may see the cases of a game.

    Raises:
        Problem: 403 for everybody but the table, its creator and arbiters until the game has finished.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit(game)
    if not sees_cases(caller.rights) and services().tables.newest(game).table.state.status != "finished":
        detail = "Until a game has finished its cases are for the table, its creator and arbiters."
        raise Problem(403, "game_not_finished", detail)


def check_may_see_evidence(game: str, **_others: str) -> None:
    """Let pass who may see all cards of a game.

    Raises:
        Problem: 403 for everybody but arbiters until the game has finished.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit(game)
    if not caller.may(ARBITRATE) and services().tables.newest(game).table.state.status != "finished":
        detail = "An evidence pack shows hidden cards: until the game has finished it is for arbiters."
        raise Problem(403, "game_not_finished", detail)


def sees_cases(rights: Rights) -> bool:
    """Whether somebody may see the cases of a game that has not finished."""
    return rights.seat is not None or rights.is_creator or rights.may(ARBITRATE)


def _somebody(game: str) -> Caller:
    caller = admit(game)
    if caller.key is None and caller.seat is None and caller.spectator is None:
        detail = "This needs the token of a seat of this game, or a key."
        raise Problem(401, "token_required", detail, headers=CHALLENGE)
    return caller


def _disputant(caller: Caller) -> Disputant:
    if caller.seat is not None:
        name = services().tables.recent(caller.game).table.state.seats[caller.seat].name
        return Disputant(Person(seat_name(caller.seat), name), arbitrates=False)
    if caller.key is None:
        raise _no_party()
    return Disputant(Person(caller.key.id, caller.key.name), caller.may(ARBITRATE))


def _no_party() -> Problem:
    return Problem(
        403, "not_a_party", "This is for the parties: the people at the table, and who opened the case."
    )
