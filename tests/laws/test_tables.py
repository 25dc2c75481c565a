"""Laws about what lies on the table, in every state of random games."""

from events.codec import decode_event
from events.rules.evolve import fold
from tests.laws.book import EVENT_LAWS, STATE_LAWS
from tests.laws.finishing import the_best_score_wins, the_game_ends_with_the_last_exhaustion, turns_go_round
from tests.laws.games import Setup, every_setup, happenings, played, whole_log


@every_setup
def test_events_change_hands_and_coins_as_they_say(setup: Setup) -> None:
    """No card appears or vanishes, hands are queues, and coins come and go by certain events only."""
    _, log = whole_log(setup)
    for before, event, after in happenings(log):
        for law in EVENT_LAWS:
            law(setup.rules, before, event, after)


@every_setup
def test_the_table_is_never_out_of_order(setup: Setup) -> None:
    """Between two commands: fields, phases and offers in order, and somebody can go on."""
    begun, steps = played(setup)
    for state in [begun.table.state, *(step.after.state for step in steps)]:
        for law in STATE_LAWS:
            law(setup.rules, state)


@every_setup
def test_turns_go_round_and_the_game_ends_with_the_last_exhaustion(setup: Setup) -> None:
    """Seats take turns clockwise; the pile runs out as often as the game lasts; the best score wins."""
    _, log = whole_log(setup)
    events = [decode_event(entry) for entry in log]
    end = fold(events)
    turns_go_round(setup.rules, events, end)
    the_game_ends_with_the_last_exhaustion(setup.rules, events)
    the_best_score_wins(setup.rules, end)
