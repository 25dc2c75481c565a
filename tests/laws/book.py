"""The laws of every event and every state, each defined once, for the games of the tests and those of the sweep."""

from collections.abc import Callable

from events.domain_events import DomainEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from tests.laws.cards import hands_keep_their_order, no_event_changes_the_deck
from tests.laws.coins import coins_change_by_certain_events_only, unseen_coins_stay_unseen
from tests.laws.order import open_offers_can_be_kept, the_table_is_in_order

EVENT_LAWS: tuple[Callable[[Rules, GameState, DomainEvent, GameState], None], ...] = (
    no_event_changes_the_deck,
    hands_keep_their_order,
    coins_change_by_certain_events_only,
)
"""What every event keeps: rules, the state before, the event, the state after."""
STATE_LAWS: tuple[Callable[[Rules, GameState], None], ...] = (
    unseen_coins_stay_unseen,
    the_table_is_in_order,
    open_offers_can_be_kept,
)
"""What holds between any two commands."""
