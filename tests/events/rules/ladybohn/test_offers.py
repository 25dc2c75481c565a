"""Phase 2 as in every Bohnanza: who trades with whom, with what, and gifts. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import MISS, MISTER, PLAIN, table
from tests.support.given import Given
from tests.support.tables import seat_with


def trading() -> Given:
    """Seat 0 trades: revealed are a soy mister (1) and a red miss (2). Numbers in the hands run from 1."""
    others = {1: seat_with(("stink_male", MISTER, "stink_female")), 2: seat_with((PLAIN, "blue_male"))}
    return table(
        phase="trade", hand=("blue_male", "chili_male", "blue_baby"), revealed=("soy_male", MISS), others=others
    )  # fmt: skip


def hands(table: Given) -> list[list[int]]:
    """The numbers of the cards in each hand, front first."""
    return [[number for number, _ in seat.hand] for seat in table.state.seats]


def test_two_cards_are_laid_out_face_up() -> None:
    """Phase 2: the two first cards of the pile, seen by everybody."""
    after = (
        table(phase="reveal", draw_pile=(MISS, "soy_baby", PLAIN))
        .when(c.Reveal())
        .then(e.CardsRevealed(0, (MISS, "soy_baby")), e.PhaseBegan("trade"))
    )
    assert after.state.draw_pile == (PLAIN,)
    shown = [{"number": 1, "card": MISS}, {"number": 2, "card": "soy_baby"}]
    for viewer in (PUBLIC, 0, 1, 2):
        assert player_view(after.state, viewer)["revealed"] == shown


def test_none_one_or_both_may_be_kept() -> None:
    """Phase 2: kept cards lie beside the fields of the active player, to be planted in phase 3."""
    both = trading().when(c.EndTrading()).then_among_others(e.TradingEnded(0, ("soy_male", MISS)))
    assert both.state.seats[0].aside == ((1, "soy_male"), (2, MISS))
    gone = trading().when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others()  # fmt: skip
    one = gone.when(c.EndTrading()).then_among_others(e.TradingEnded(0, (MISS,)))
    assert one.state.seats[0].aside == ((1, MISS),)
    gone.when(c.Offer(2, revealed=(2,))).then_among_others() \
        .when(c.Accept(2), by=2).then_among_others() \
        .when(c.EndTrading()).then_among_others(e.TradingEnded(0, ()))  # fmt: skip


def test_revealed_cards_are_traded_or_given() -> None:
    """Phase 2: for what the active player asks, or for nothing."""
    traded = trading().when(c.Offer(1, revealed=(1,), want={"stink": 1})).then_among_others() \
        .when(c.Accept(1, hand=(3,)), by=1) \
        .then(e.TradeMade(1, 0, 1, ("soy_male",), ("stink_female",), (), (1,), (3,)))  # fmt: skip
    assert traded.state.revealed == ((2, MISS),)
    trading().when(c.Offer(2, revealed=(1, 2))).then_among_others() \
        .when(c.Accept(1), by=2).then(e.TradeMade(1, 0, 2, ("soy_male", MISS), (), (), (1, 2)))  # fmt: skip


def test_what_is_wanted_in_return_is_said_and_paid_exactly() -> None:
    """Phase 2: the active player names it; not more, not fewer, no other family."""
    asked = trading().when(c.Offer(1, revealed=(1,), want={"stink": 2})).then_among_others()
    assert player_view(asked.state, PUBLIC)["offers"][0]["want"] == {"stink": 2}
    for hand in ((), (1,), (1, 2), (1, 2, 3)):
        asked.when(c.Accept(1, hand=hand), by=1).then_refused(errors.PaymentMismatch)
    asked.when(c.Accept(1, hand=(1, 3)), by=1).then_among_others()


@pytest.mark.parametrize(("seat", "to"), [(1, 2), (2, 1), (1, None), (2, None)])
def test_others_do_not_trade_among_themselves(seat: int, to: int | None) -> None:
    """Phase 2, fundamental principle: every trade has the active player on one side."""
    trading().when(c.Offer(to, hand=(1,)), by=seat).then_refused(errors.WrongAddressee)


def test_nobody_answers_for_the_active_player() -> None:
    """Phase 2, fundamental principle: another's offer is the active player's to accept."""
    offered = trading().when(c.Offer(0, hand=(2,), want={"blue": 1}), by=1).then_among_others()
    offered.when(c.Accept(1, hand=(2,)), by=2).then_refused(errors.NotAddressedToYou)
    offered.when(c.Counter(1, hand=(2,)), by=2).then_refused(errors.NotAddressedToYou)
    offered.when(c.Accept(1, hand=(3,))).then_among_others()


def test_hand_cards_are_offered_from_any_place() -> None:
    """Phase 2: besides the revealed cards; the order of the hand does not matter, those that stay keep it."""
    offered = trading().when(c.Offer(1, hand=(2,), revealed=(1,), want={"stink": 1, "red": 1}))
    given, paid = ("chili_male", "soy_male"), ("stink_female", MISTER)
    after = offered.then_among_others() \
        .when(c.Accept(1, hand=(2, 3)), by=1).then(e.TradeMade(1, 0, 1, given, paid, (2,), (1,), (2, 3)))  # fmt: skip
    assert hands(after) == [[1, 3], [1], [1, 2]]


def test_others_trade_cards_of_their_hand_only() -> None:
    """Phase 2: not the revealed ones, and nothing that lies aside or grows."""
    trading().when(c.Offer(0, revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)
    trading().when(c.Offer(0, hand=(4,)), by=1).then_refused(errors.NotInHand)
    asked = trading().when(c.Offer(1, hand=(1,), want={"soy": 1})).then_among_others()
    asked.when(c.Accept(1, revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)


def test_hand_cards_are_given_when_the_revealed_ones_are_gone() -> None:
    """Phase 2: trading and giving go on from the hand."""
    gone = trading().when(c.Offer(1, revealed=(1, 2))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others()  # fmt: skip
    assert gone.state.revealed == ()
    after = gone.when(c.Offer(2, hand=(1,))).then_among_others() \
        .when(c.Accept(2), by=2).then(e.TradeMade(2, 0, 2, ("blue_male",), (), (1,)))  # fmt: skip
    assert hands(after) == [[2, 3], [1, 2, 3], [1, 2]]


def test_received_cards_go_neither_into_the_hand_nor_into_another_trade() -> None:
    """Phase 2, attention: they lie beside the fields until phase 3."""
    traded = trading().when(c.Offer(1, hand=(1,), want={"red": 1})).then_among_others() \
        .when(c.Accept(1, hand=(2,)), by=1).then_among_others()  # fmt: skip
    assert hands(traded) == [[2, 3], [1, 3], [1, 2]]
    assert [seat.aside for seat in traded.state.seats] == [((1, MISTER),), ((1, "blue_male"),), ()]
    for seat in (0, 1):
        traded.when(c.Offer(1 - seat, hand=(4,)), by=seat).then_refused(errors.NotInHand)
    traded.when(c.Offer(0, want_revealed=(3,)), by=2).then_refused(errors.NotRevealed)
    traded.when(c.Offer(0, hand=(1,), want={"red": 1}), by=2).then_among_others() \
        .when(c.Accept(2)).then_refused(errors.PaymentMismatch) \
        .when(c.PlantAside(1, 0)).then_refused(errors.WrongPhase)  # fmt: skip


def test_whatever_was_received_and_kept_lies_aside_together() -> None:
    """Phase 2: the cards of several trades, and those revealed and kept, all wait for phase 3."""
    after = trading().when(c.Offer(1, hand=(1,), want={"red": 1})).then_among_others() \
        .when(c.Accept(1, hand=(2,)), by=1).then_among_others() \
        .when(c.Offer(1, revealed=(1,), want={"stink": 1})).then_among_others() \
        .when(c.Accept(2, hand=(1,)), by=1).then_among_others() \
        .when(c.EndTrading()).then_among_others(e.TradingEnded(0, (MISS,)))  # fmt: skip
    assert after.state.seats[0].aside == ((1, MISTER), (2, "stink_male"), (3, MISS))
    assert after.state.seats[1].aside == ((1, "blue_male"), (2, "soy_male"))


def test_cards_leave_the_hands_with_the_trade_only() -> None:
    """Phase 2: an offer that comes to nothing leaves every hand as it was."""
    before = trading()
    offered = before.when(c.Offer(1, hand=(2,), want={"stink": 1})).then_among_others()
    assert hands(offered) == hands(before)
    declined = offered.when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=True))
    withdrawn = offered.when(c.Withdraw(1)).then(e.OfferWithdrawn(1, 0))
    for after in (declined, withdrawn):
        assert after.state.seats == before.state.seats
        after.when(c.Accept(1, hand=(1,)), by=1).then_refused(errors.NoSuchOffer)


def test_the_active_player_gives_revealed_and_hand_cards() -> None:
    """Phase 2, gifts: from either, or from both at once."""
    trading().when(c.Offer(2, hand=(3,), revealed=(2,))).then_among_others() \
        .when(c.Accept(1), by=2).then(e.TradeMade(1, 0, 2, ("blue_baby", MISS), (), (3,), (2,)))  # fmt: skip


def test_others_give_to_the_active_player_from_their_hand() -> None:
    """Phase 2, gifts: to nobody else, and only hand cards."""
    trading().when(c.Offer(0, hand=(1,)), by=1).then(e.OfferMade(1, 1, 0, (1,), ("stink",))) \
        .when(c.Accept(1)).then(e.TradeMade(1, 0, 1, (), ("stink_male",), partner_hand=(1,)))  # fmt: skip
    trading().when(c.Offer(2, hand=(1,)), by=1).then_refused(errors.WrongAddressee)


@pytest.mark.parametrize(("giver", "receiver"), [(0, 1), (1, 0)])
def test_nobody_has_to_take_a_gift(giver: int, receiver: int) -> None:
    """Phase 2, gifts: nothing changes hands before the receiver accepts, who may say no."""
    before = trading()
    gift = before.when(c.Offer(receiver, hand=(1,)), by=giver).then_among_others()
    assert gift.state.seats == before.state.seats
    gift.when(c.Accept(1), by=giver).then_refused(errors.OwnOffer)
    declined = gift.when(c.Decline(1), by=receiver).then(e.OfferDeclined(1, receiver, closed=True))
    assert declined.state.seats == before.state.seats
    unanswered = gift.when(c.EndTrading()).then_among_others(e.OfferLapsed(1))
    assert hands(unanswered) == hands(before)
    assert [seat.aside for seat in unanswered.state.seats] == [((1, "soy_male"), (2, MISS)), (), ()]


def test_the_active_player_ends_the_phase() -> None:
    """Phase 2: when they want no more trades and gifts, and nobody else does it for them; open offers lapse."""
    offered = trading().when(c.Offer(0, hand=(1,)), by=1).then_among_others()
    offered.when(c.EndTrading(), by=1).then_refused(errors.NotYourTurn)
    offered.when(c.EndTrading()).then(
        e.OfferLapsed(1), e.TradingEnded(0, ("soy_male", MISS)), e.PhaseBegan("plant_aside")
    ).when(c.Offer(1, hand=(1,))).then_refused(errors.WrongPhase)


def test_selling_and_buying_touch_no_offer() -> None:
    """Rules of the house: both are open while offers are, and leave them open."""
    others = {1: seat_with(("stink_male",), fields=((MISTER,) * 2, ()))}
    offered = (
        table(phase="trade", hand=(PLAIN,), coins=(PLAIN,) * 3, others=others)
        .when(c.Offer(1, hand=(1,), want={"stink": 1}))
        .then_among_others()
    )
    after = offered.when(c.Harvest(0), by=1).then_among_others().when(c.BuyField()).then_among_others()
    assert after.state.offers == offered.state.offers
    after.when(c.Accept(1, hand=(1,)), by=1).then_among_others()
