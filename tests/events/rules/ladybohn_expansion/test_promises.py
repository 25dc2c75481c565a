"""Promises made in a trade, which bind the next levy. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.ladybohn_expansion.errors import PromiseBinds
from events.rules.systems.ladybohn_expansion.table import LevyPromise
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    POOR,
    RED,
    RICH,
    SOY,
    added,
    drawing,
    levying,
    table,
)
from tests.support.given import Given, given
from tests.support.tables import seat_with


def trading() -> Given:
    """Seat 0 trades."""
    return table(phase="trade", hand=(BLUE, SOY), others={1: seat_with((RED,)), 2: seat_with((RED,))})


def test_a_trade_can_carry_a_promise_of_the_giver() -> None:
    """Game idea, B, and make-up beans: a promise may be part of a trade, and binds once it is made."""
    at = (
        trading()
        .when(c.Offer(1, hand=(1,), want={"red": 1}, spare=True))
        .then(e.OfferMade(1, 0, 1, (1,), (BLUE,), want={"red": 1}, spare=True))
    )
    assert added(at).promises == ()
    after = at.when(c.Accept(1, (1,)), by=1).then(
        e.TradeMade(1, 0, 1, (BLUE,), (RED,), (1,), (), (1,)), e.LevyPromised(0, 1)
    )
    assert added(after).promises == (LevyPromise(0, 1),)


def test_a_trade_can_ask_for_a_promise() -> None:
    """Game idea, B: I give you this bean, but please spare me."""
    at = (
        trading()
        .when(c.Offer(0, hand=(1,), want_spared=True), by=1)
        .then(e.OfferMade(1, 1, 0, (1,), (RED,), want_spared=True))
    )
    at.when(c.Accept(1)).then(e.TradeMade(1, 0, 1, (), (RED,), (), (), (1,)), e.LevyPromised(0, 1))


def test_both_sides_can_promise_in_one_trade() -> None:
    """House: either side can promise to spare the other side."""
    at = trading().when(c.Offer(hand=(1,), spare=True, want_spared=True)).then_among_others()
    after = at.when(c.Accept(1), by=2).then_among_others(e.LevyPromised(0, 2), e.LevyPromised(2, 0))
    assert added(after).promises == (LevyPromise(0, 2), LevyPromise(2, 0))


def test_a_counter_offer_can_carry_promises() -> None:
    """House: it is an offer like any other."""
    at = trading().when(c.Offer(1, hand=(1,))).then_among_others()
    at.when(c.Counter(1, hand=(1,), want_spared=True), by=1).then_among_others(
        e.OfferMade(2, 1, 0, (1,), (RED,), want_spared=True, counters=1)
    )


@pytest.mark.parametrize(
    "offer", [c.Offer(1, spare=True), c.Offer(1, want_spared=True), c.Offer(1, spare=True, want_spared=True)]
)
def test_promises_alone_are_no_trade(offer: c.Offer) -> None:
    """House: promises don't count; some card must be given or wanted."""
    trading().when(offer).then_refused(errors.OfferEmpty)


def test_an_offer_that_is_declined_promises_nothing() -> None:
    """Make-up beans: whether such promises are made is left to the players."""
    at = trading().when(c.Offer(1, hand=(1,), spare=True)).then_among_others()
    after = at.when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=True))
    assert added(after).promises == ()


def test_other_games_know_no_binding_promises() -> None:
    """Bohnanza (104): whatever is promised there binds nobody."""
    at = given(phase="trade", hand=("blue",))
    at.when(c.Offer(1, hand=(1,), spare=True)).then_refused(errors.NotInThisGame)
    at.when(c.Offer(1, hand=(1,), want_spared=True)).then_refused(errors.NotInThisGame)


def test_a_promise_cannot_be_broken() -> None:
    """Make-up beans: if a player makes such a promise, it cannot be broken; then it is used up."""
    at = levying({1: RICH, 2: RICH}, promises=((0, 1),))
    at.when(c.Levy((1,))).then_refused(PromiseBinds)
    after = at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (SOY,), spared=(1,)))
    assert added(after).promises == ()


def test_a_promise_is_used_up_by_a_levy_that_takes_nothing() -> None:
    """House: the next levy, whatever it takes."""
    at = levying({1: RICH, 2: RICH}, promises=((0, 1),))
    after = at.when(c.Levy()).then_among_others(e.CoinsLevied(0, spared=(1,)))
    assert added(after).promises == ()


def test_a_promise_can_leave_nobody_to_be_named() -> None:
    """House: such a levy is skipped, and uses the promise up."""
    at = drawing({1: RICH, 2: POOR}, promises=((0, 1),))
    after = at.when(c.Draw()).then_among_others(e.CoinsLevied(0, spared=(1,)), e.TurnBegan(1, 2))
    assert added(after).promises == ()


def test_two_promises_cover_two_levies() -> None:
    """House: each levy uses up one promise to each."""
    at = levying({1: RICH, 2: RICH}, levies=(0, 0), promises=((0, 1), (0, 2), (0, 1)))
    assert added(at).levies == (0,)
    assert added(at).promises == (LevyPromise(0, 1),)
    at.when(c.Levy((1,))).then_refused(PromiseBinds)
    at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (SOY,), spared=(1,)))


def test_a_promise_binds_only_who_made_it_and_spares_only_whom_it_names() -> None:
    """House: seat 1's promise to seat 2 is no matter of seat 0."""
    at = levying({1: RICH, 2: RICH}, promises=((1, 2), (1, 0)))
    after = at.when(c.Levy((2, 1))).then_among_others(e.CoinsLevied(0, (2, 1), (SOY, SOY)))
    assert added(after).promises == (LevyPromise(1, 2), LevyPromise(1, 0))


def test_spoken_promises_bind_nobody() -> None:
    """House: only what is part of a trade binds."""
    at = levying({1: RICH, 2: RICH}).when(c.Say("I spare you, Ben")).then_among_others()
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (SOY,)))


def test_a_promise_covers_a_levy_that_is_pending_already() -> None:
    """House: the next levy, earned before the trade or after it."""
    at = table(phase="trade", hand=(BLUE,), levies=(0,), others={1: RICH, 2: RICH})
    at = at.when(c.Offer(0, hand=(1,), want_spared=True), by=1).then_among_others()
    at = at.when(c.Accept(1)).then_among_others(e.LevyPromised(0, 1))
    at = at.when(c.EndTrading()).then_among_others()
    at = at.when(c.PlantAside(1, 0)).then_among_others(e.PhaseBegan("draw"))
    at = at.when(c.Draw()).then_among_others(e.PhaseBegan("levy"))
    at.when(c.Levy((2, 1))).then_refused(PromiseBinds)
    at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (SOY,), spared=(1,)))


def test_a_promise_waits_over_the_turns_for_a_levy() -> None:
    """House: it is used up by a levy and by nothing else."""
    at = drawing({1: RICH, 2: RICH}, levies=(), promises=((0, 1),))
    after = at.when(c.Draw()).then_among_others(e.TurnBegan(1, 2))
    assert added(after).promises == (LevyPromise(0, 1),)


def test_a_used_promise_spares_nobody_any_more() -> None:
    """House: one promise, one levy; the second of two may take what the first could not."""
    at = levying({1: RICH, 2: POOR, 3: RICH}, levies=(0, 0), promises=((0, 1),))
    at = at.when(c.Levy((3,))).then(e.CoinsLevied(0, (3,), (SOY,), spared=(1,)))
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (SOY,)))


def test_several_can_be_spared_by_one_levy() -> None:
    """House: each promise covers the next levy, whoever else is spared by it."""
    at = levying({1: RICH, 2: RICH, 3: RICH}, promises=((0, 1), (0, 3)))
    at.when(c.Levy((3,))).then_refused(PromiseBinds)
    after = at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (SOY,), spared=(1, 3)))
    assert added(after).promises == ()


def test_a_promise_asked_for_need_not_be_made() -> None:
    """Make-up beans: it is at the player's own discretion; who declines has promised nothing."""
    at = trading().when(c.Offer(0, hand=(1,), want_spared=True), by=1).then_among_others()
    after = at.when(c.Decline(1)).then(e.OfferDeclined(1, 0, closed=True))
    assert added(after).promises == ()
