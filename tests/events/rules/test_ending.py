"""How a game ends: when, what is harvested, who wins. Sections are those of the 104-card booklet."""

import hashlib

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import legal_commands
from events.rules.move import DEALER
from events.rules.table.state import Result
from events.rules.table.waiting import waiting_for
from tests.events.rules.games import Giving, standard_games
from tests.support.given import Given
from tests.support.tables import SECRET, classic_rules, seat_with

LAST = 2
"""Exhaustions before the one that ends the game; with three players of `extended` it is one less."""


def everybody(given: Giving, coins: int = 0) -> tuple[int, ...]:
    """The scores of a table at which all have so many coins."""
    return (coins,) * given.rules.players


def result_of(table: Given) -> Result:
    """How the game ended."""
    assert table.state.result is not None
    return table.state.result


@standard_games
def test_the_game_ends_at_once_in_phase_4(given: Giving) -> None:
    """Bohnanza (104), end of the game: in the drawing phase nothing more is drawn, and no new pile is made."""
    after = (
        given(phase="draw", draw_pile=("red",), discard_pile=("stink",) * 9, exhaustions=LAST)
        .when(c.Draw())
        .then_among_others(e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 3), e.DealerCalled("secret"))
    )
    assert result_of(after).scores == everybody(given)
    assert result_of(after).reason == "exhausted_while_drawing"
    assert after.state.turn == 1
    assert after.state.discard_pile == ("stink",) * 9


@standard_games
def test_the_last_owed_card_ends_the_game_too(given: Giving) -> None:
    """Bohnanza (104), end of the game: what counts is that the pile is empty for the third time."""
    pile = ("red",) * (4 if given.rules.players > 5 else 3)
    table = given(phase="draw", draw_pile=pile, exhaustions=LAST)
    after = table.when(c.Draw()).then_among_others(e.CardsDrawn(0, pile), e.PileExhausted("draw", 3))
    assert result_of(after).reason == "exhausted_while_drawing"


@standard_games
def test_the_second_exhaustion_does_not_end_the_game(given: Giving) -> None:
    """Bohnanza (104), end of the game: only the third one does."""
    given(phase="draw", draw_pile=("red",) * 3, exhaustions=LAST - 1).when(c.Draw()).then_among_others(
        e.PileExhausted("draw", 2), e.TurnBegan(1, 2)
    )


@standard_games
def test_two_cards_that_are_the_last_ones_are_revealed_and_the_turn_is_finished(given: Giving) -> None:
    """Bohnanza (104), end of the game: the pile is empty with the second revealed card; growing ends the game."""
    table = (
        given(phase="reveal", draw_pile=("red", "soy"), discard_pile=("stink",), exhaustions=LAST)
        .when(c.Reveal())
        .then(e.CardsRevealed(0, ("red", "soy")), e.PileExhausted("draw", 3), e.PhaseBegan("trade"))
        .when(c.EndTrading())
        .then_among_others(e.PhaseBegan("plant_aside"))
        .when(c.PlantAside(2, 0))
        .then(e.AsidePlanted(0, 2, 0, "soy"))
    )
    after = table.when(c.PlantAside(1, 1)).then_among_others(e.AsidePlanted(0, 1, 1, "red"))
    assert result_of(after).reason == "exhausted_before_drawing"


def run_out_while_revealing(given: Giving) -> Given:
    """The third exhaustion falls when cards are revealed; one of two can be."""
    return (
        given(phase="reveal", draw_pile=("red",), discard_pile=("stink",), exhaustions=LAST)
        .when(c.Reveal())
        .then(e.CardsRevealed(0, ("red",)), e.PileExhausted("draw", 3), e.PhaseBegan("trade"))
    )


@standard_games
def test_a_turn_is_finished_up_to_phase_3(given: Giving) -> None:
    """Bohnanza (104), end of the game: run out while revealing, trading and growing are still played."""
    after = run_out_while_revealing(given) \
        .when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others() \
        .when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("plant_aside")) \
        .when(c.Draw()).then_refused(errors.WrongPhase) \
        .when(c.PlantAside(1, 1), by=1).then_among_others(
            e.AsidePlanted(1, 1, 1, "red"), e.FieldHarvested(1, 1, ("red",), 0, final=True),
            e.DealerCalled("secret"),
        )  # fmt: skip
    assert result_of(after).scores == everybody(given)
    assert result_of(after).reason == "exhausted_before_drawing"
    assert len(after.state.seats[0].hand) == 2, "nothing is drawn any more"


@standard_games
def test_the_game_ends_with_trading_where_nothing_lies_aside(given: Giving) -> None:
    """Rules of the house: the game ends by itself, with the command after which nothing lies aside."""
    after = given(phase="reveal", draw_pile=(), exhaustions=3) \
        .when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade")) \
        .when(c.EndTrading()).then_among_others(e.TradingEnded(0, ()), e.DealerCalled("secret"))  # fmt: skip
    assert result_of(after).reason == "exhausted_before_drawing"


@standard_games
def test_discards_made_in_the_last_turn_are_not_shuffled(given: Giving) -> None:
    """Rules of the house: after the final exhaustion no pile is made any more."""
    table = given(phase="reveal", draw_pile=(), discard_pile=("stink",) * 5, exhaustions=3)
    table.when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade"))


@standard_games
def test_every_field_is_harvested_without_protection(given: Giving) -> None:
    """Bohnanza (104), end of the game: fields are sold; house: clockwise from the active player, by number."""
    others = {
        0: seat_with(fields=(("red", "red"), ("soy",)), coins=("blue",)),
        2: seat_with(fields=((), ("chili",) * 8, ("stink",))),
    }
    table = given(
        phase="draw", active=1, hand=("blue",) * 9, draw_pile=("red",), exhaustions=LAST, others=others
    )
    after = table.when(c.Draw()).then(
        e.CardsDrawn(1, ("red",)),
        e.PileExhausted("draw", 3),
        e.FieldHarvested(2, 1, ("chili",) * 8, 3, final=True),
        e.FieldHarvested(2, 2, ("stink",), 0, final=True),
        e.FieldHarvested(0, 0, ("red", "red"), 1, final=True),
        e.FieldHarvested(0, 1, ("soy",), 0, final=True),
        e.GameEnded((2, 0, 3, *everybody(given)[3:]), (2,), "exhausted_while_drawing"),
        e.DealerCalled("secret"),
    )
    assert len(after.state.seats[1].hand) == 10


@standard_games
def test_most_coins_win_whatever_is_in_hand(given: Giving) -> None:
    """Bohnanza (104), end of the game: cards in hand are worth nothing."""
    others = {1: seat_with(hand=("red",) * 9, coins=("stink",) * 2), 2: seat_with(coins=("red",) * 3)}
    table = given(phase="draw", draw_pile=("red",), exhaustions=LAST, others=others)
    assert result_of(table.when(c.Draw()).then_among_others()).winners == (2,)


@standard_games
def test_every_coin_is_worth_one(given: Giving) -> None:
    """Bohnanza (104), bean coins: the back of each card is one coin, whatever its variety."""
    varieties = tuple(dict.fromkeys(given.rules.deck))
    table = given(phase="draw", coins=varieties, draw_pile=("red",), exhaustions=LAST)
    after = table.when(c.Draw()).then_among_others()
    assert result_of(after).scores == (len(varieties), *everybody(given)[1:])
    assert result_of(after).unit == "coins"


def test_cards_in_hand_are_worth_nothing_and_break_no_tie() -> None:
    """Bohnanza (104), end of the game: house: the booklet has no tie rule, and the hand breaks none."""
    others = {1: seat_with(coins=("stink",) * 2), 2: seat_with(hand=("red",) * 9, coins=("red",))}
    given = Giving(classic_rules())
    given(phase="draw", coins=("soy",) * 2, draw_pile=("red",), exhaustions=LAST, others=others) \
        .when(c.Draw()).then_among_others(e.GameEnded((2, 2, 1), (0, 1), "exhausted_while_drawing"))  # fmt: skip


# --- after the end -----------------------------------------------------------------------------------------


def ended(given: Giving) -> Given:
    """A game that has just ended; its secret is due."""
    table = given(phase="draw", draw_pile=("red",), exhaustions=LAST)
    committed = replace(table.state, commitment=hashlib.sha256(bytes.fromhex(SECRET)).hexdigest())
    return Given(table.rules, committed).when(c.Draw()).then_among_others()


@pytest.mark.parametrize("command", [c.Draw(), c.Harvest(0), c.BuyField(), c.Say("gg"), c.Plant(0)])
@standard_games
def test_nobody_acts_after_the_end(given: Giving, command: c.Command) -> None:
    """Bohnanza (104), end of the game: it is over, before and after the dealer has opened the secret."""
    table = ended(given)
    table.when(command).then_refused(errors.GameOver)
    table.when(c.RevealSecret(SECRET), by=DEALER).then(e.SecretRevealed(SECRET)) \
        .when(command).then_refused(errors.GameOver)  # fmt: skip


@standard_games
def test_nobody_is_waited_for_after_the_end(given: Giving) -> None:
    """A finished game has no legal command and waits for nobody."""
    finished = ended(given).when(c.RevealSecret(SECRET), by=DEALER).then(e.SecretRevealed(SECRET))
    for table in (ended(given), finished):
        assert waiting_for(table.state) == ()
        assert [legal_commands(table.rules, table.state, seat) for seat in given.seats] == [[]] * len(
            given.seats
        )
    assert finished.state.status == "finished"
