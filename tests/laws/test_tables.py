"""Laws about what lies on the table, in every state of random games."""

from collections.abc import Callable

from events.domain_events import DomainEvent
from events.log.codec import decode_event
from events.rules.definition.rule_system import Rules
from events.rules.evolving.evolve import fold
from events.rules.table.state import GameState
from tests.laws.cards import hands_keep_their_order, no_event_changes_the_deck
from tests.laws.coins import coins_change_by_certain_events_only, unseen_coins_stay_unseen
from tests.laws.finishing import the_best_score_wins, the_game_ends_with_the_last_exhaustion, turns_go_round
from tests.laws.games import Setup, every_setup, happenings, played, whole_log
from tests.laws.order import open_offers_can_be_kept, the_table_is_in_order


def in_every_event(setup: Setup, law: Callable[[Rules, GameState, DomainEvent, GameState], None]) -> None:
    """Check a law on every event of a random game, with the table before and after it."""
    for before, event, after in happenings(whole_log(setup)[1]):
        law(setup.rules, before, event, after)


def in_every_state(setup: Setup, law: Callable[[Rules, GameState], None]) -> None:
    """Check a law between any two commands of a random game."""
    begun, steps = played(setup)
    for state in [begun.table.state, *(step.after.state for step in steps)]:
        law(setup.rules, state)


@every_setup
def test_no_card_appears_or_vanishes(setup: Setup) -> None:
    """All cards of the deck are somewhere after every event, none twice."""
    in_every_event(setup, no_event_changes_the_deck)


@every_setup
def test_a_hand_keeps_its_order(setup: Setup) -> None:
    """Cards join the back of a hand and leave it by the events that say so; the others stay in their order."""
    in_every_event(setup, hands_keep_their_order)


@every_setup
def test_coins_change_by_certain_events_only(setup: Setup) -> None:
    """Each event does to the coin stacks exactly what it says; all others do nothing to them."""
    in_every_event(setup, coins_change_by_certain_events_only)


@every_setup
def test_coins_that_nobody_saw_stay_unseen(setup: Setup) -> None:
    """Which coins are unseen follows from the stacks."""
    in_every_state(setup, unseen_coins_stay_unseen)


@every_setup
def test_the_table_is_never_out_of_order(setup: Setup) -> None:
    """Fields hold what they may; cards lie revealed, aside and on offer in their phases only."""
    in_every_state(setup, the_table_is_in_order)


@every_setup
def test_open_offers_can_be_kept_by_who_made_them(setup: Setup) -> None:
    """Every open offer is made from cards that are there, and involves the active player."""
    in_every_state(setup, open_offers_can_be_kept)


@every_setup
def test_turns_go_round_and_the_game_ends_with_the_last_exhaustion(setup: Setup) -> None:
    """Seats take turns clockwise; the pile runs out as often as the game lasts; the best score wins."""
    events = [decode_event(entry) for entry in whole_log(setup)[1]]
    end = fold(events)
    turns_go_round(setup.rules, events, end)
    the_game_ends_with_the_last_exhaustion(setup.rules, events)
    the_best_score_wins(setup.rules, end)
