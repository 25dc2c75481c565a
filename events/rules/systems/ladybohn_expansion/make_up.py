"""What make-up beans and the quota field pay, and who gets a third field, in `ladybohn-expansion`."""

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.move import Move
from events.rules.systems.ladybohn_expansion.table import table_of
from events.rules.table.state import Field, GameState, Seat

FOR_A_FIELD = 3
"""So many make-up beans bring the third field."""
FOR_A_LEVY = 5
"""So many make-up beans bring the third field, or a coin and a levy."""
MOST_PAYERS = 3
"""So many players at most pay for one levy."""
THIRD = 2
"""The number of a third field."""


def is_make_up(rules: Rules, field: Field) -> bool:
    """Whether make-up beans grow on the field."""
    return bool(field) and rules.beans[field[-1]].sold == "make_up"


def grows_make_up(rules: Rules, seat: Seat) -> bool:
    """Whether make-up beans grow on any field of the seat."""
    return any(is_make_up(rules, field) for field in seat.fields)


def is_quota_field(state: GameState, seat: int, number: int) -> bool:
    """Whether this is the quota field."""
    return number == THIRD and table_of(state).quota == seat


def pay(rules: Rules, field: Field, *, quota: bool) -> int:
    """What a field pays by the beanometer of its top card: nothing on the quota field without a female."""
    if quota and all(rules.beans[card].sex != "female" for card in field):
        return 0
    return rules.coins_for(field)


def may_pay(rules: Rules, state: GameState, harvest: e.FieldHarvested) -> tuple[int, ...]:
    """How many coins a harvest can bring: five or more make-up beans one, or none with a third field instead."""
    owner = state.seats[harvest.seat]
    field = owner.fields[harvest.field]
    if not is_make_up(rules, field):
        return (pay(rules, field, quota=is_quota_field(state, harvest.seat, harvest.field)),)
    if len(field) < FOR_A_LEVY:
        return (0,)
    return (1,) if owner.third_field or harvest.final else (0, 1)


def claim_quota_field(move: Move) -> None:
    """The first third field of the game is the quota field."""
    if table_of(move.state).quota is None:
        move.emit(e.QuotaFieldTaken(move.seat))
