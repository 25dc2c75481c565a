"""Levies at the end of a turn. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.ladybohn_expansion.errors import CannotBeLevied, SeatNamedTwice, TooManyPayers
from events.rules.table.state import Seat
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    GREEN,
    MAKE_UP,
    POOR,
    PROTECTED,
    RED,
    RICH,
    SOY,
    STINK,
    added,
    drawing,
    levying,
    table,
)
from tests.support.tables import seat_with


def test_a_levy_is_due_after_phase_4_before_the_next_turn() -> None:
    """Make-up beans: at the end of the turn, when phase 4 is over."""
    at = table(phase="draw", others={1: RICH, 2: POOR}, levies=(0,))
    at = at.when(c.Draw()).then(
        e.CardsDrawn(0, (GREEN,)), e.CardsDrawn(1, (GREEN,)), e.CardsDrawn(2, (GREEN,)), e.PhaseBegan("levy")
    )
    after = at.when(c.Levy((1,))).then(
        e.CoinsLevied(0, (1,), (SOY,)), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )
    assert after.state.seats[0].coins == (SOY,)
    assert after.state.seats[1].coins == (RED,)
    assert added(after).levies == ()


def test_the_coins_land_in_the_order_named() -> None:
    """House: one after the other."""
    others = {1: seat_with(coins=(RED,)), 2: seat_with(coins=(BLUE, SOY)), 3: seat_with(coins=(STINK,))}
    at = levying(others)
    after = at.when(c.Levy((3, 1, 2))).then_among_others(e.CoinsLevied(0, (3, 1, 2), (STINK, RED, SOY)))
    assert after.state.seats[0].coins == (STINK, RED, SOY)


def test_levied_coins_land_on_top_of_the_own_ones() -> None:
    """House: a stack of coins grows at its top, so a levied coin is the next to be spent or levied."""
    at = table(phase="levy", levies=(0,), coins=(GREEN, GREEN), others={1: RICH})
    after = at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (SOY,)))
    assert after.state.seats[0].coins == (GREEN, GREEN, SOY)


def test_nobody_need_be_named() -> None:
    """Make-up beans: up to three, so none is possible too."""
    levying({1: RICH, 2: RICH}).when(c.Levy()).then_among_others(e.CoinsLevied(0), e.TurnBegan(1, 2))


def test_three_others_at_most() -> None:
    """Make-up beans: a maximum of three other players."""
    at = levying(dict.fromkeys((1, 2, 3, 4), RICH))
    at.when(c.Levy((1, 2, 3, 4))).then_refused(TooManyPayers)
    at.when(c.Levy((4, 2, 1))).then_among_others(e.CoinsLevied(0, (4, 2, 1), (SOY, SOY, SOY)))


def test_who_has_no_coin_or_grows_make_up_beans_cannot_be_named() -> None:
    """Make-up beans: not from players without coins, nor from those who grow make-up beans too."""
    at = levying({1: POOR, 2: PROTECTED, 3: RICH})
    at.when(c.Levy((1,))).then_refused(CannotBeLevied)
    at.when(c.Levy((3, 2))).then_refused(CannotBeLevied)
    at.when(c.Levy((0,))).then_refused(CannotBeLevied)
    at.when(c.Levy((3, 3))).then_refused(SeatNamedTwice)
    at.when(c.Levy((4,))).then_refused(errors.NoSuchSeat)
    at.when(c.Levy((-1,))).then_refused(errors.NoSuchSeat)


def test_only_the_owner_levies_and_only_then() -> None:
    """Make-up beans: the player who has harvested them, at the end of the own turn."""
    levying({1: RICH, 2: RICH}).when(c.Levy((2,)), by=1).then_refused(errors.NotYourTurn)
    table(phase="trade", levies=(0,), others={1: RICH}).when(c.Levy((1,))).then_refused(errors.WrongPhase)


def test_two_harvests_give_two_levies() -> None:
    """House: one command for each."""
    at = levying({1: RICH, 2: POOR}, levies=(0, 0))
    at = at.when(c.Levy((1,))).then(e.CoinsLevied(0, (1,), (SOY,)))
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (RED,)), e.TurnBegan(1, 2))


def test_somebody_elses_levy_waits_for_their_turn() -> None:
    """House: who harvests off turn levies at the end of the next own turn."""
    at = drawing({1: RICH, 2: RICH}, levies=(1,))
    after = at.when(c.Draw()).then_among_others(e.TurnBegan(1, 2))
    assert added(after).levies == (1,)


@pytest.mark.parametrize(
    "others", [{1: POOR, 2: POOR}, {1: PROTECTED, 2: POOR}, {1: PROTECTED, 2: PROTECTED}]
)
def test_a_levy_that_nobody_could_be_named_for_is_skipped(others: dict[int, Seat]) -> None:
    """House: without a command."""
    at = drawing(others)
    after = at.when(c.Draw()).then_among_others(e.CoinsLevied(0), e.TurnBegan(1, 2))
    assert added(after).levies == ()


def test_a_purchase_before_the_levy_saves_the_coins() -> None:
    """Make-up beans, tip: who has exactly three coins buys a third field quickly."""
    at = levying({1: seat_with(coins=(RED,) * 3), 2: POOR})
    at.when(c.BuyField(), by=1).then(
        e.ThirdFieldBought(1, (RED,) * 3),
        e.QuotaFieldTaken(1),
        e.CoinsLevied(0),
        e.TurnBegan(1, 2),
        e.PhaseBegan("plant"),
    )


def test_a_harvest_before_the_levy_is_still_allowed() -> None:
    """House: until the levy others may harvest; who sells the last make-up beans loses the protection."""
    at = levying({1: seat_with(fields=((MAKE_UP,) * 2, ()), coins=(RED,)), 2: RICH})
    at.when(c.Levy((1,))).then_refused(CannotBeLevied)
    at = at.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, (MAKE_UP,) * 2, 0))
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (RED,)))


def test_a_make_up_harvest_while_the_levy_is_due_adds_one() -> None:
    """House: it is still the owner's turn."""
    at = table(phase="levy", levies=(0,), fields=((MAKE_UP,) * 5, (), ()), others={1: RICH, 2: POOR})
    at = at.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MAKE_UP,) * 5, 1), e.LevyEarned(0))
    at = at.when(c.Levy((1,))).then(e.CoinsLevied(0, (1,), (SOY,)))
    at.when(c.Levy((1,))).then_among_others(e.TurnBegan(1, 2))


def test_a_levy_earned_off_turn_is_taken_at_the_end_of_the_own_turn() -> None:
    """Make-up beans: at the end of the owner's turn, after their phase 4 (house: the next one)."""
    at = table(phase="draw", coins=(RED,), others={1: seat_with((BLUE,), ((MAKE_UP,) * 5, ()))})
    at = at.when(c.Harvest(0, reward="coin"), by=1).then_among_others(e.LevyEarned(1))
    at = at.when(c.Draw()).then_among_others(e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    for command in (c.Plant(0), c.Reveal(), c.EndTrading()):
        at.when(c.Levy((0,))).then_refused(errors.WrongPhase)
        at = at.when(command).then_among_others()
    for number in (1, 2):
        at = at.when(c.PlantAside(number, 1)).then_among_others()
    at = at.when(c.Draw()).then_among_others(e.PhaseBegan("levy"))
    at.when(c.Levy((0,))).then(e.CoinsLevied(1, (0,), (RED,)), e.TurnBegan(2, 3), e.PhaseBegan("plant"))


def test_a_coin_earned_before_the_levy_can_be_taken() -> None:
    """House: who can be named is judged at that command."""
    at = levying({1: seat_with(fields=((BLUE,) * 4, ())), 2: RICH})
    at.when(c.Levy((1,))).then_refused(CannotBeLevied)
    at = at.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, (BLUE,) * 4, 1))
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (BLUE,)))


def test_one_make_up_bean_protects_and_a_bean_in_hand_does_not() -> None:
    """Make-up beans: who grows them need not pay."""
    at = levying({1: PROTECTED, 2: seat_with((MAKE_UP,) * 3, coins=(RED,))})
    at.when(c.Levy((1,))).then_refused(CannotBeLevied)
    at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (RED,)))


def test_own_make_up_beans_hinder_no_levy() -> None:
    """Make-up beans: they protect who would have to pay."""
    at = table(phase="levy", levies=(0,), fields=((MAKE_UP,), ()), others={1: RICH})
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (SOY,)))


def test_a_swap_before_the_levy_is_still_allowed_and_earns_nothing() -> None:
    """House: until the levy others may buy, harvest or swap."""
    at = levying({1: seat_with((RED, BLUE, SOY), coins=(RED,)), 2: POOR})
    after = at.when(c.SwapHand(1), by=1).then_among_others()
    assert after.state.phase == "levy"
    after.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (RED,)))
