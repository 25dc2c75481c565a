"""Laws about coins: every coin comes from somewhere by a rule, and goes somewhere by a rule."""

from events.domain_events import DomainEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from tests.laws.particulars import COIN_LAWS


def coins_change_by_certain_events_only(
    rules: Rules, before: GameState, event: DomainEvent, after: GameState
) -> None:
    """A coin was the top of a harvested field, by its beanometer, or what the event says; all others stay."""
    law = COIN_LAWS.get(type(event))
    if law is not None:
        law(rules, before, event, after)
    elif before.seats is after.seats:
        return
    for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
        concerned = (
            getattr(event, "seat", number),
            getattr(event, "to", None),
            *getattr(event, "payers", ()),
        )
        if law is None or number not in concerned:
            assert new.coins == old.coins, f"the coins of seat {number} have changed"


def unseen_coins_stay_unseen(rules: Rules, state: GameState) -> None:
    """The coins that nobody has seen lie where there are coins; in `the-duel` their number never changes."""
    if state.duel is None or state.status != "running":
        return
    for seat, own in zip(state.seats, state.duel.seats, strict=True):
        assert {*own.unseen} <= {*range(len(seat.coins))}
    dealt = rules.setup.coins * rules.players
    assert sum(len(own.unseen) for own in state.duel.seats) == dealt
