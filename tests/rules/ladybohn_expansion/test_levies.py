"""Levies at the end of a turn, and the promises that bind them. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.lady_bohn_table import LevyPromise
from events.rules.state import Seat
from tests.rules.ladybohn_expansion.tables import BLUE, GREEN, MAKE_UP, RED, SOY, STINK, added, table
from tests.support.given import Given, given
from tests.support.tables import seat_with

RICH, POOR = seat_with((GREEN,), coins=(RED, SOY)), seat_with((GREEN,))
PROTECTED = seat_with((GREEN,), fields=((MAKE_UP,), ()), coins=(RED,))


def drawing(
    others: dict[int, Seat],
    levies: tuple[int, ...] = (0,),
    promises: tuple[tuple[int, int], ...] = (),
    **more: int,
) -> Given:
    """The active player has still to draw, and has a levy."""
    at = table(phase="draw", others=others, levies=levies, promises=promises, players=len(others) + 1)
    return at.when(c.Draw()).then_among_others(e.PhaseBegan("levy")) if more.get("due", 1) else at


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
    at = drawing(others)
    after = at.when(c.Levy((3, 1, 2))).then_among_others(e.CoinsLevied(0, (3, 1, 2), (STINK, RED, SOY)))
    assert after.state.seats[0].coins == (STINK, RED, SOY)


def test_nobody_need_be_named() -> None:
    """Make-up beans: up to three, so none is possible too."""
    drawing({1: RICH, 2: RICH}).when(c.Levy()).then_among_others(e.CoinsLevied(0), e.TurnBegan(1, 2))


def test_three_others_at_most() -> None:
    """Make-up beans: a maximum of three other players."""
    at = drawing(dict.fromkeys((1, 2, 3, 4), RICH))
    at.when(c.Levy((1, 2, 3, 4))).then_refused(errors.TooManyPayers)
    at.when(c.Levy((4, 2, 1))).then_among_others(e.CoinsLevied(0, (4, 2, 1), (SOY, SOY, SOY)))


def test_who_has_no_coin_or_grows_make_up_beans_cannot_be_named() -> None:
    """Make-up beans: not from players without coins, nor from those who grow make-up beans too."""
    at = drawing({1: POOR, 2: PROTECTED, 3: RICH})
    at.when(c.Levy((1,))).then_refused(errors.CannotBeLevied)
    at.when(c.Levy((3, 2))).then_refused(errors.CannotBeLevied)
    at.when(c.Levy((0,))).then_refused(errors.CannotBeLevied)
    at.when(c.Levy((3, 3))).then_refused(errors.SeatNamedTwice)
    at.when(c.Levy((4,))).then_refused(errors.NoSuchSeat)
    at.when(c.Levy((-1,))).then_refused(errors.NoSuchSeat)


def test_only_the_owner_levies_and_only_then() -> None:
    """Make-up beans: the player who has harvested them, at the end of the own turn."""
    drawing({1: RICH, 2: RICH}).when(c.Levy((2,)), by=1).then_refused(errors.NotYourTurn)
    table(phase="trade", levies=(0,), others={1: RICH}).when(c.Levy((1,))).then_refused(errors.WrongPhase)


def test_two_harvests_give_two_levies() -> None:
    """House: one command for each."""
    at = drawing({1: RICH, 2: POOR}, levies=(0, 0))
    at = at.when(c.Levy((1,))).then(e.CoinsLevied(0, (1,), (SOY,)))
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (RED,)), e.TurnBegan(1, 2))


def test_somebody_elses_levy_waits_for_their_turn() -> None:
    """House: who harvests off turn levies at the end of the next own turn."""
    at = drawing({1: RICH, 2: RICH}, levies=(1,), due=0)
    after = at.when(c.Draw()).then_among_others(e.TurnBegan(1, 2))
    assert added(after).levies == (1,)


@pytest.mark.parametrize(
    "others", [{1: POOR, 2: POOR}, {1: PROTECTED, 2: POOR}, {1: PROTECTED, 2: PROTECTED}]
)
def test_a_levy_that_nobody_could_be_named_for_is_skipped(others: dict[int, Seat]) -> None:
    """House: without a command."""
    at = drawing(others, due=0)
    after = at.when(c.Draw()).then_among_others(e.CoinsLevied(0), e.TurnBegan(1, 2))
    assert added(after).levies == ()


def test_a_purchase_before_the_levy_saves_the_coins() -> None:
    """Make-up beans, tip: who has exactly three coins buys a third field quickly."""
    at = drawing({1: seat_with(coins=(RED,) * 3), 2: POOR})
    at.when(c.BuyField(), by=1).then(
        e.ThirdFieldBought(1, (RED,) * 3),
        e.QuotaFieldTaken(1),
        e.CoinsLevied(0),
        e.TurnBegan(1, 2),
        e.PhaseBegan("plant"),
    )


def test_a_harvest_before_the_levy_is_still_allowed() -> None:
    """House: until the levy others may harvest; who sells the last make-up beans loses the protection."""
    at = drawing({1: seat_with(fields=((MAKE_UP,) * 2, ()), coins=(RED,)), 2: RICH})
    at.when(c.Levy((1,))).then_refused(errors.CannotBeLevied)
    at = at.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, (MAKE_UP,) * 2, 0))
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (RED,)))


def test_a_make_up_harvest_while_the_levy_is_due_adds_one() -> None:
    """House: it is still the owner's turn."""
    at = table(phase="levy", levies=(0,), fields=((MAKE_UP,) * 5, (), ()), others={1: RICH, 2: POOR})
    at = at.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MAKE_UP,) * 5, 1), e.LevyEarned(0))
    at = at.when(c.Levy((1,))).then(e.CoinsLevied(0, (1,), (SOY,)))
    at.when(c.Levy((1,))).then_among_others(e.TurnBegan(1, 2))


# --- promises ----------------------------------------------------------------------------------------------


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
    at = drawing({1: RICH, 2: RICH}, promises=((0, 1),))
    at.when(c.Levy((1,))).then_refused(errors.PromiseBinds)
    after = at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (SOY,), spared=(1,)))
    assert added(after).promises == ()


def test_a_promise_is_used_up_by_a_levy_that_takes_nothing() -> None:
    """House: the next levy, whatever it takes."""
    at = drawing({1: RICH, 2: RICH}, promises=((0, 1),))
    after = at.when(c.Levy()).then_among_others(e.CoinsLevied(0, spared=(1,)))
    assert added(after).promises == ()


def test_a_promise_can_leave_nobody_to_be_named() -> None:
    """House: such a levy is skipped, and uses the promise up."""
    at = drawing({1: RICH, 2: POOR}, promises=((0, 1),), due=0)
    after = at.when(c.Draw()).then_among_others(e.CoinsLevied(0, spared=(1,)), e.TurnBegan(1, 2))
    assert added(after).promises == ()


def test_two_promises_cover_two_levies() -> None:
    """House: each levy uses up one promise to each."""
    at = drawing({1: RICH, 2: RICH}, levies=(0, 0), promises=((0, 1), (0, 2), (0, 1)))
    at = at.when(c.Draw()).then_among_others() if at.state.phase == "draw" else at
    assert added(at).levies == (0,)
    assert added(at).promises == (LevyPromise(0, 1),)
    at.when(c.Levy((1,))).then_refused(errors.PromiseBinds)
    at.when(c.Levy((2,))).then_among_others(e.CoinsLevied(0, (2,), (SOY,), spared=(1,)))


def test_a_promise_binds_only_who_made_it_and_spares_only_whom_it_names() -> None:
    """House: seat 1's promise to seat 2 is no matter of seat 0."""
    at = drawing({1: RICH, 2: RICH}, promises=((1, 2), (1, 0)))
    after = at.when(c.Levy((2, 1))).then_among_others(e.CoinsLevied(0, (2, 1), (SOY, SOY)))
    assert added(after).promises == (LevyPromise(1, 2), LevyPromise(1, 0))


def test_spoken_promises_bind_nobody() -> None:
    """House: only what is part of a trade binds."""
    at = drawing({1: RICH, 2: RICH}).when(c.Say("I spare you, Ben")).then_among_others()
    at.when(c.Levy((1,))).then_among_others(e.CoinsLevied(0, (1,), (SOY,)))
