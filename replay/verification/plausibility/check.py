"""Whether an event is plausible on the table as it stood, for any viewer.

`evolve` never refuses, so what comes from outside is held against the table before it is folded. This is no
second rules engine: where a record shows everything, the rules themselves are asked again.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.rooms import modules_in
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.unknown import Checks
from replay.verification.rewindings import CHECKS as REWINDINGS

_ALLOWED = MappingProxyType(
    {
        "none": (e.GameCreated,),
        "open": (e.SeatTaken, e.GameStarted, e.GameClosed, e.GameEnded),
        "ended": (e.DealerCalled, e.SecretRevealed),
        "finished": (),
    }
)
"""What can happen in a game of this status; anything but these while it is running."""
_NOT_RUNNING = (e.GameCreated, e.SeatTaken, e.GameStarted, e.SecretRevealed)


def check_plausibility(rules: Rules, state: GameState, event: e.DomainEvent) -> None:
    """Refuse an event that cannot have happened on this table.

    Raises:
        Discrepancy: of the checks `end`, `fold` or `scores`.
    """
    if state.status != "running" or isinstance(event, _NOT_RUNNING):
        _check_status(state, event)
    seats, place, check = _checks_of(type(event))
    for name in seats:
        seat = getattr(event, name)
        if seat is not None and not 0 <= seat < rules.players:
            raise Discrepancy("fold", f"there is no seat {seat}; the table has {rules.players}")
    if place is not None:
        owner, field = place(event)
        fields = len(state.seats[owner].fields)
        if not 0 <= field < fields:
            raise Discrepancy("fold", f"seat {owner} has no field {field}; it has {fields}")
    if check is not None:
        check(rules, state, event)


def _check_status(state: GameState, event: e.DomainEvent) -> None:
    allowed = _ALLOWED.get(state.status)
    name = type(event).__name__
    if state.status == "finished":
        raise Discrepancy("end", f"{name} comes after the end of the game")
    if isinstance(event, _NOT_RUNNING) if allowed is None else not isinstance(event, allowed):
        raise Discrepancy("fold", f"{name} cannot happen while the game is {state.status}")


@cache
def _checks_of(
    struct: type[e.DomainEvent],
) -> tuple[
    tuple[str, ...],
    Callable[[Any], tuple[int, int]] | None,
    Callable[[Rules, GameState, Any], None] | None,
]:
    """Which members of such an event are seats, what takes a field and its owner from it, and its own check."""
    names = struct.__struct_fields__
    seats = tuple(name for name in ("seat", "active", "partner", "to", "owner") if name in names)
    owner = "owner" if "owner" in names else "seat"
    place = attrgetter(owner, "field") if "field" in names else None
    return seats, place, CHECKS_BY_EVENT.get(struct)


CHECKS_BY_EVENT: Checks = REWINDINGS | {
    event: check
    for module in modules_in("replay.verification.plausibility")
    for event, check in getattr(module, "CHECKS", {}).items()
}
"""Each module here that has `CHECKS` adds those of its events, one for each rule system among them."""
