"""How the greedy bot plays the open cards of the bean duel."""

from typing import Any

from events import commands as c
from events.bots import choose
from events.bots.situation import Situation
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from tests.support.given import given
from tests.support.tables import rules_of, seat_with

RULES = rules_of("bean-duel", 2)


def chosen(**table: Any) -> c.Command | None:
    """What the greedy bot does at this table of the bean duel."""
    state = given(rules=RULES, draw_pile=("blue", "chili", "red", "soy") * 15, **table).state
    seat = state.active
    situation = Situation(RULES, seat, player_view(state, seat), legal_commands(RULES, state, seat))
    return choose("greedy", situation, "seed", 1)


def test_what_grows_is_planted() -> None:
    """A card on offer joins its field."""
    assert chosen(phase="offered", revealed=("soy", "red"), fields=(("red",) * 2, ("blue",) * 3)) == (
        c.PlantRevealed(2, 0)
    )


def test_what_is_in_the_way_is_discarded() -> None:
    """A card on offer that fits nowhere goes to the discard pile."""
    assert chosen(phase="offered", revealed=("soy",), fields=(("red",) * 2, ("blue",) * 3)) == (
        c.DiscardRevealed(1)
    )


def test_what_fits_nowhere_is_left_to_the_opponent() -> None:
    """A revealed card is not planted at the price of a field that grows."""
    assert chosen(phase="plant_revealed", revealed=("soy",), fields=(("red",) * 2, ("blue",) * 3)) == c.Draw()


def test_a_hand_card_that_would_cost_a_field_is_thrown_away() -> None:
    """After planting, the card at the front that fits nowhere goes, and the one that fits stays."""
    assert chosen(
        phase="discard",
        planted=2,
        hand=("soy", "red", "red"),
        fields=(("red",) * 3, ("blue",) * 7),
        others={1: seat_with(fields=(("stink",), ()))},
    ) == c.Discard(1)


def test_a_hand_that_fits_is_kept() -> None:
    """Where every card fits, nothing is thrown away."""
    assert chosen(phase="discard", planted=2, hand=("red", "blue"), fields=(("red",) * 2, ("blue",) * 3)) == (
        c.Reveal()
    )
