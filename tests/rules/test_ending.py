"""How a game ends: when, what is harvested, who wins. Sections are those of the 104-card booklet."""

import hashlib

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import legal_commands, waiting_for
from events.rules.move import DEALER
from tests.support.given import Given, given
from tests.support.tables import SECRET, seat_with

LAST = 2
"""Exhaustions before the one that ends the game."""


def test_the_game_ends_at_once_in_phase_4() -> None:
    """Bohnanza (104), end of the game: in the drawing phase nothing more is drawn, and no new pile is made."""
    given(phase="draw", draw_pile=("red",), discard_pile=("stink",) * 9, exhaustions=LAST).when(
        c.Draw()
    ).then(
        e.CardsDrawn(0, ("red",)),
        e.PileExhausted("draw", 3),
        e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_while_drawing"),
        e.DealerCalled("secret"),
    )


def test_the_last_owed_card_ends_the_game_too() -> None:
    """Bohnanza (104), end of the game: what counts is that the pile is empty for the third time."""
    given(phase="draw", draw_pile=("red",) * 3, exhaustions=LAST).when(c.Draw()).then_among_others(
        e.CardsDrawn(0, ("red",) * 3), e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_while_drawing")
    )


def test_the_second_exhaustion_does_not_end_the_game() -> None:
    """Bohnanza (104), end of the game: only the third one does."""
    given(phase="draw", draw_pile=("red",) * 3, exhaustions=LAST - 1).when(c.Draw()).then_among_others(
        e.PileExhausted("draw", 2), e.TurnBegan(1, 2)
    )


def run_out_while_revealing() -> Given:
    """The third exhaustion falls when cards are revealed; one of two can be."""
    return (
        given(phase="reveal", draw_pile=("red",), discard_pile=("stink",), exhaustions=LAST)
        .when(c.Reveal())
        .then(e.CardsRevealed(0, ("red",)), e.PileExhausted("draw", 3), e.PhaseBegan("trade"))
    )


def test_a_turn_is_finished_up_to_phase_3() -> None:
    """Bohnanza (104), end of the game: run out while revealing, trading and growing are still played."""
    run_out_while_revealing() \
        .when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others() \
        .when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("plant_aside")) \
        .when(c.Draw()).then_refused(errors.WrongPhase) \
        .when(c.PlantAside(1, 1), by=1).then(
            e.AsidePlanted(1, 1, 1, "red"), e.FieldHarvested(1, 1, ("red",), 0, final=True),
            e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_before_drawing"), e.DealerCalled("secret"),
        )  # fmt: skip


def test_the_game_ends_with_trading_where_nothing_lies_aside() -> None:
    """Rules of the house: the game ends by itself, with the command after which nothing lies aside."""
    given(phase="reveal", draw_pile=(), exhaustions=3) \
        .when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade")) \
        .when(c.EndTrading()).then(
            e.TradingEnded(0, ()), e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_before_drawing"),
            e.DealerCalled("secret"),
        )  # fmt: skip


def test_discards_made_in_the_last_turn_are_not_shuffled() -> None:
    """Rules of the house: after the final exhaustion no pile is made any more."""
    table = given(phase="reveal", draw_pile=(), discard_pile=("stink",) * 5, exhaustions=3)
    table.when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade"))


def test_every_field_is_harvested_without_protection() -> None:
    """Bohnanza (104), end of the game: fields are sold; house: clockwise from the active player, by number."""
    others = {
        0: seat_with(fields=(("red", "red"), ("soy",)), coins=("blue",)),
        2: seat_with(fields=((), ("garden",) * 3, ("stink",))),
    }
    given(phase="draw", active=1, hand=("blue",) * 9, draw_pile=("red",), exhaustions=LAST, others=others) \
        .when(c.Draw()).then(
            e.CardsDrawn(1, ("red",)),
            e.PileExhausted("draw", 3),
            e.FieldHarvested(2, 1, ("garden",) * 3, 3, final=True),
            e.FieldHarvested(2, 2, ("stink",), 0, final=True),
            e.FieldHarvested(0, 0, ("red", "red"), 1, final=True),
            e.FieldHarvested(0, 1, ("soy",), 0, final=True),
            e.GameEnded((2, 0, 3), (2,), "exhausted_while_drawing"),
            e.DealerCalled("secret"),
        )  # fmt: skip


def test_cards_in_hand_are_worth_nothing_and_break_no_tie() -> None:
    """Bohnanza (104), end of the game: coins decide; the booklet has no tie rule, so a tie is a shared victory."""
    others = {1: seat_with(coins=("stink",) * 2), 2: seat_with(coins=("red",))}
    given(phase="draw", coins=("soy",) * 2, draw_pile=("red",), exhaustions=LAST, others=others) \
        .when(c.Draw()).then_among_others(e.GameEnded((2, 2, 1), (0, 1), "exhausted_while_drawing"))  # fmt: skip


# --- after the end -----------------------------------------------------------------------------------------


def ended() -> Given:
    """A game that has just ended; its secret is due."""
    table = given(phase="draw", draw_pile=("red",), exhaustions=LAST)
    committed = replace(table.state, commitment=hashlib.sha256(bytes.fromhex(SECRET)).hexdigest())
    return Given(table.rules, committed).when(c.Draw()).then_among_others()


@pytest.mark.parametrize("command", [c.Draw(), c.Harvest(0), c.BuyField(), c.Say("gg"), c.Plant(0)])
def test_nobody_acts_after_the_end(command: c.Command) -> None:
    """Bohnanza (104), end of the game: it is over, before and after the dealer has opened the secret."""
    table = ended()
    table.when(command).then_refused(errors.GameOver)
    table.when(c.RevealSecret(SECRET), by=DEALER).then(e.SecretRevealed(SECRET)) \
        .when(command).then_refused(errors.GameOver)  # fmt: skip


def test_nobody_is_waited_for_after_the_end() -> None:
    """A finished game has no legal command and waits for nobody."""
    finished = ended().when(c.RevealSecret(SECRET), by=DEALER).then(e.SecretRevealed(SECRET))
    for table in (ended(), finished):
        assert waiting_for(table.state) == ()
        assert [legal_commands(table.rules, table.state, seat) for seat in range(3)] == [[], [], []]
    assert finished.state.status == "finished"
