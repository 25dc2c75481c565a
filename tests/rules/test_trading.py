"""Phase 2: making, answering and closing offers. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.phases.trading import OPEN_OFFERS
from tests.support.given import Given, given
from tests.support.tables import seat_with


def trading() -> Given:
    """Seat 0 trades: revealed are soy (1) and red (2). Numbers in the hands run from 1."""
    return given(
        phase="trade",
        hand=("blue", "chili", "blue"),
        revealed=("soy", "red"),
        others={1: seat_with(("stink", "red", "stink")), 2: seat_with(("green", "blue"))},
    )


# --- making an offer ---------------------------------------------------------------------------------------


def test_the_active_player_offers_revealed_and_hand_cards_together() -> None:
    """Bohnanza (104), phase 2: both kinds of cards may be proposed, to one player, for something wanted."""
    table = (
        trading()
        .when(c.Offer(1, hand=(2,), revealed=(1,), want={"stink": 2}))
        .then(e.OfferMade(1, 0, 1, (2,), ("chili",), (1,), {"stink": 2}))
    )
    assert [offer.number for offer in table.state.offers] == [1]
    assert [number for number, _ in table.state.seats[0].hand] == [1, 2, 3], (
        "cards leave the hand with the trade only"
    )


def test_what_is_offered_is_said_without_its_place() -> None:
    """Rules of the house: others learn the varieties, in the order of the catalogue, not numbers or places."""
    trading().when(c.Offer(1, hand=(3, 2, 1))).then(
        e.OfferMade(1, 0, 1, hand=(1, 2, 3), hand_cards=("blue", "blue", "chili"))
    )
    assert "hand" in e.OfferMade.private


def test_an_offer_may_be_open_to_all() -> None:
    """Rules of the house: the active player may address everybody."""
    trading().when(c.Offer(revealed=(2, 1))).then(e.OfferMade(1, 0, None, revealed=(1, 2)))


def test_another_player_offers_hand_cards_for_revealed_ones() -> None:
    """Bohnanza (104), phase 2: others propose cards of their hand, to the active player."""
    trading().when(c.Offer(0, hand=(1,), want={"blue": 1}, want_revealed=(2,)), by=1).then(
        e.OfferMade(1, 1, 0, (1,), ("stink",), want={"blue": 1}, want_revealed=(2,))
    )


def test_a_gift_and_a_request_are_offers() -> None:
    """Bohnanza (104), phase 2, gifts: one side may be empty; house: a request without payment too."""
    trading().when(c.Offer(0, hand=(2,)), by=1).then(e.OfferMade(1, 1, 0, (2,), ("red",)))
    trading().when(c.Offer(1, want={"stink": 1})).then(e.OfferMade(1, 0, 1, want={"stink": 1}))


def test_an_offer_of_nothing_for_nothing_is_refused() -> None:
    """Rules of the house: promises do not count, so both sides cannot be empty."""
    trading().when(c.Offer(1)).then_refused(errors.OfferEmpty)


def test_an_offer_may_ask_for_what_nobody_has() -> None:
    """Rules of the house: it may be addressed to somebody who cannot fulfil it; then only the others can refuse."""
    trading().when(c.Offer(2, want={"garden": 6})).then(e.OfferMade(1, 0, 2, want={"garden": 6})) \
        .when(c.Accept(1), by=2).then_refused(errors.PaymentMismatch) \
        .when(c.Decline(1), by=2).then(e.OfferDeclined(1, 2, closed=True))  # fmt: skip


@pytest.mark.parametrize(("seat", "to"), [(1, 2), (1, None), (1, 1), (0, 0), (0, 3), (0, -1), (2, 3)])
def test_trades_are_between_the_active_player_and_one_other(seat: int, to: int | None) -> None:
    """Bohnanza (104), phase 2: others negotiate with the active player only."""
    trading().when(c.Offer(to, hand=(1,)), by=seat).then_refused(errors.WrongAddressee)


@pytest.mark.parametrize("hand", [(4,), (0,), (1, 4), (-1,)])
def test_only_cards_in_hand_can_be_offered(hand: tuple[int, ...]) -> None:
    """Bohnanza (104), phase 2: players offer their own cards."""
    trading().when(c.Offer(1, hand=hand)).then_refused(errors.NotInHand)


def test_a_card_cannot_be_offered_or_wanted_twice_in_one_offer() -> None:
    """Rules of the house: a card is named once."""
    trading().when(c.Offer(1, hand=(1, 1))).then_refused(errors.CardNamedTwice)
    trading().when(c.Offer(1, revealed=(1, 1))).then_refused(errors.CardNamedTwice)
    trading().when(c.Offer(0, want_revealed=(2, 2)), by=1).then_refused(errors.CardNamedTwice)


def test_revealed_cards_are_the_active_players_to_give() -> None:
    """Bohnanza (104), phase 2, gifts: others give from their hand only."""
    trading().when(c.Offer(0, revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)


def test_the_active_player_does_not_ask_for_the_revealed_cards() -> None:
    """Bohnanza (104), phase 2: the active player turned them up and owns them."""
    trading().when(c.Offer(1, want_revealed=(1,))).then_refused(errors.NotWanted)


def test_only_revealed_cards_can_be_named_as_revealed() -> None:
    """Bohnanza (104), phase 2: the two cards that were turned up."""
    trading().when(c.Offer(1, revealed=(3,))).then_refused(errors.NotRevealed)
    trading().when(c.Offer(0, want_revealed=(3,)), by=1).then_refused(errors.NotRevealed)


def test_wants_name_varieties_of_the_game_in_amounts_that_exist() -> None:
    """Rules of the house: hand cards are wanted by variety and number."""
    trading().when(c.Offer(1, want={"wax": 1})).then_refused(errors.NoSuchVariety)
    for count in (0, -1, 7):
        trading().when(c.Offer(1, want={"garden": count})).then_refused(errors.BadAmount)


def test_a_player_has_a_limited_number_of_open_offers() -> None:
    """Rules of the house: not more than the table can follow; others are not limited by that."""
    table = trading()
    for number in range(1, OPEN_OFFERS + 1):
        table = table.when(c.Offer(1, hand=(1,))).then(e.OfferMade(number, 0, 1, (1,), ("blue",)))
    table.when(c.Offer(1, hand=(1,))).then_refused(errors.TooManyOffers)
    theirs = table.when(c.Offer(0, hand=(1,)), by=2).then_among_others()
    theirs.when(c.Counter(OPEN_OFFERS + 1, hand=(1,))).then_refused(errors.TooManyOffers)
    theirs.when(c.Withdraw(3)).then_among_others().when(c.Offer(1, hand=(1,))).then_among_others()


@pytest.mark.parametrize("phase", ["plant", "reveal", "plant_aside", "draw"])
@pytest.mark.parametrize(
    "command", [c.Offer(1, hand=(1,)), c.Counter(1, hand=(1,)), c.Accept(1), c.Decline(1), c.Withdraw(1)]
)
def test_trading_belongs_to_phase_2(phase: str, command: c.Command) -> None:
    """Bohnanza (104), course of the game: actions come in their order."""
    given(phase=phase).when(command).then_refused(errors.WrongPhase)


# --- accepting ---------------------------------------------------------------------------------------------


def test_a_trade_changes_hands_at_once_and_lies_aside() -> None:
    """Bohnanza (104), phase 2: traded cards leave the hands with the trade, and lie apart until phase 3."""
    table = trading() \
        .when(c.Offer(1, hand=(1,), revealed=(2,), want={"stink": 2})).then_among_others() \
        .when(c.Accept(1, hand=(1, 3)), by=1).then(
            e.TradeMade(1, 0, 1, ("blue", "red"), ("stink", "stink"), (1,), (2,), (1, 3))
        )  # fmt: skip
    active, partner, _ = table.state.seats
    assert active.hand == ((2, "chili"), (3, "blue"))
    assert partner.hand == ((2, "red"),)
    assert active.aside == ((1, "stink"), (2, "stink"))
    assert partner.aside == ((1, "blue"), (2, "red"))
    assert table.state.revealed == ((1, "soy"),)
    assert table.state.offers == ()


def test_the_order_in_which_payment_is_named_does_not_count() -> None:
    """Rules of the house: cards are named, not ordered."""
    asked = trading().when(c.Offer(1, want={"stink": 2})).then_among_others()
    asked.when(c.Accept(1, hand=(3, 1)), by=1).then(
        e.TradeMade(1, 0, 1, (), ("stink",) * 2, partner_hand=(1, 3))
    )


def test_a_trade_says_which_cards_without_their_places() -> None:
    """Rules of the house: the cards of a trade are public in the order of the catalogue, on both sides."""
    asked = trading().when(c.Offer(1, hand=(1, 2, 3), want={"red": 1, "stink": 2})).then_among_others()
    asked.when(c.Accept(1, hand=(1, 2, 3)), by=1).then(
        e.TradeMade(
            1, 0, 1, ("blue", "blue", "chili"), ("stink", "stink", "red"), (1, 2, 3), (), (1, 2, 3)
        )
    )  # fmt: skip


def test_nobody_has_to_accept_a_gift() -> None:
    """Bohnanza (104), phase 2, gifts: a gift needs the receiver's consent and may be declined."""
    gift = trading().when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=True))
    gift.when(c.Accept(1), by=1).then(e.TradeMade(1, 0, 1, ("soy",), (), active_revealed=(1,)))


def test_the_active_player_pays_a_want_from_hand_or_revealed_cards() -> None:
    """Rules of the house: a wanted variety may be paid by either, a wanted revealed card only by itself."""
    table = given(
        phase="trade", hand=("soy", "blue"), revealed=("soy", "soy"), others={1: seat_with(("red",))}
    )
    asked = table.when(c.Offer(0, hand=(1,), want={"soy": 1}, want_revealed=(2,)), by=1).then_among_others()
    asked.when(c.Accept(1, hand=(1,), revealed=(2,))).then(
        e.TradeMade(1, 0, 1, ("soy", "soy"), ("red",), (1,), (2,), (1,))
    )
    asked.when(c.Accept(1, revealed=(2, 1))).then(
        e.TradeMade(1, 0, 1, ("soy", "soy"), ("red",), (), (1, 2), (1,))
    )
    asked.when(c.Accept(1, hand=(1,), revealed=(1,))).then_refused(errors.PaymentMismatch)
    asked.when(c.Accept(1, revealed=(2,))).then_refused(errors.PaymentMismatch)
    asked.when(c.Accept(1, hand=(1, 2), revealed=(2,))).then_refused(errors.PaymentMismatch)


def test_an_acceptor_gives_exactly_what_is_wanted() -> None:
    """Rules of the house: no other variety, not fewer, not more."""
    asked = trading().when(c.Offer(1, want={"stink": 1, "red": 1})).then_among_others()
    for hand in ((), (1,), (1, 3), (1, 2, 3)):
        asked.when(c.Accept(1, hand=hand), by=1).then_refused(errors.PaymentMismatch)
    asked.when(c.Accept(1, hand=(3, 2)), by=1).then_among_others(
        e.TradeMade(1, 0, 1, (), ("stink", "red"), partner_hand=(2, 3))
    )


def test_an_acceptor_pays_with_cards_that_they_hold() -> None:
    """Bohnanza (104), phase 2: hand cards of one's own, each once; revealed ones are the active player's."""
    asked = trading().when(c.Offer(1, want={"stink": 2})).then_among_others()
    asked.when(c.Accept(1, hand=(1, 9)), by=1).then_refused(errors.NotInHand)
    asked.when(c.Accept(1, hand=(1, 1)), by=1).then_refused(errors.CardNamedTwice)
    asked.when(c.Accept(1, hand=(1, 3), revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)
    offered = trading().when(c.Offer(0, hand=(1,), want_revealed=(1,)), by=1).then_among_others()
    offered.when(c.Accept(1)).then_refused(errors.PaymentMismatch)
    offered.when(c.Accept(1, revealed=(3,))).then_refused(errors.NotRevealed)
    offered.when(c.Accept(1, revealed=(1, 1))).then_refused(errors.CardNamedTwice)


def test_received_cards_are_not_traded_again() -> None:
    """Bohnanza (104), phase 2: traded cards go neither into the hand nor into another trade."""
    table = trading().when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others()  # fmt: skip
    assert table.state.seats[1].aside == ((1, "soy"),)
    table.when(c.Offer(0, want_revealed=(1,)), by=2).then_refused(errors.NotRevealed)
    table.when(c.Offer(0, hand=(4,)), by=1).then_refused(errors.NotInHand)


def test_any_card_of_the_hand_may_go_the_front_one_too() -> None:
    """Bohnanza (104), phase 2, note: a card's place in the hand does not matter; the others keep their order."""
    table = (
        trading().when(c.Offer(0, hand=(1,)), by=2).then_among_others().when(c.Accept(1)).then_among_others()
    )
    assert table.state.seats[2].hand == ((2, "blue"),)


# --- answering otherwise -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [c.Accept(1), c.Decline(1), c.Counter(1, hand=(1,))])
def test_only_who_is_addressed_answers(command: c.Command) -> None:
    """Bohnanza (104), phase 2: a trade is between two; nobody answers their own offer, or one to somebody else."""
    gift = trading().when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(command, by=2).then_refused(errors.NotAddressedToYou)
    gift.when(command, by=0).then_refused(errors.OwnOffer)
    for number in (0, 2):
        other = type(command)(number)
        gift.when(other, by=1).then_refused(errors.NoSuchOffer)


def test_an_offer_open_to_all_stays_for_the_others_and_for_second_thoughts() -> None:
    """Rules of the house: who declined may still accept, but not decline twice."""
    trading().when(c.Offer(revealed=(1,))).then_among_others() \
        .when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=False)) \
        .when(c.Decline(1), by=1).then_refused(errors.DeclinedAlready) \
        .when(c.Decline(1), by=2).then(e.OfferDeclined(1, 2, closed=False)) \
        .when(c.Accept(1), by=1).then(e.TradeMade(1, 0, 1, ("soy",), (), active_revealed=(1,))) \
        .when(c.Accept(1), by=2).then_refused(errors.NoSuchOffer)  # fmt: skip


def test_an_offer_to_one_player_is_closed_by_the_answer() -> None:
    """Rules of the house: declined is done."""
    trading().when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=True)) \
        .when(c.Accept(1), by=1).then_refused(errors.NoSuchOffer)  # fmt: skip


def test_a_counter_closes_an_offer_to_one_player_and_is_linked_to_it() -> None:
    """Rules of the house: a counter is a new offer to who made the first one."""
    trading().when(c.Offer(1, revealed=(1,), want={"red": 1})).then_among_others() \
        .when(c.Counter(1, hand=(1,), want_revealed=(1,)), by=1).then(
            e.OfferDeclined(1, 1, closed=True),
            e.OfferMade(2, 1, 0, (1,), ("stink",), want_revealed=(1,), counters=1),
        ) \
        .when(c.Counter(2, revealed=(1,), want={"stink": 2})).then(
            e.OfferDeclined(2, 0, closed=True), e.OfferMade(3, 0, 1, revealed=(1,), want={"stink": 2}, counters=2)
        )  # fmt: skip


def test_a_counter_to_an_offer_open_to_all_leaves_it_open() -> None:
    """Rules of the house: the others may still accept it, and so may who countered it."""
    countered = trading().when(c.Offer(revealed=(1,), want={"red": 1})).then_among_others() \
        .when(c.Counter(1, hand=(1,), want_revealed=(1,)), by=1).then(
            e.OfferMade(2, 1, 0, (1,), ("stink",), want_revealed=(1,), counters=1)
        )  # fmt: skip
    countered.when(c.Accept(1, hand=(2,)), by=1).then(
        e.TradeMade(1, 0, 1, ("soy",), ("red",), (), (1,), (2,)), e.OfferLapsed(2)
    )


def test_a_counter_is_checked_like_an_offer_and_closes_nothing_when_refused() -> None:
    """Rules of the house: a refused counter leaves the answered offer open."""
    gift = trading().when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(c.Counter(1), by=1).then_refused(errors.OfferEmpty)
    gift.when(c.Counter(1, hand=(9,)), by=1).then_refused(errors.NotInHand)
    gift.when(c.Counter(1, revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)
    gift.when(c.Counter(1, want={"wax": 1}), by=1).then_refused(errors.NoSuchVariety)


def test_a_giver_may_withdraw_an_open_offer() -> None:
    """Rules of the house: only who made it, and only while it is open."""
    gift = trading().when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(c.Withdraw(1), by=1).then_refused(errors.NotYourOffer)
    gift.when(c.Withdraw(2)).then_refused(errors.NoSuchOffer)
    gift.when(c.Withdraw(1)).then(e.OfferWithdrawn(1, 0)) \
        .when(c.Withdraw(1)).then_refused(errors.NoSuchOffer) \
        .when(c.Accept(1), by=1).then_refused(errors.NoSuchOffer)  # fmt: skip


# --- lapsing and ending ------------------------------------------------------------------------------------


def test_offers_lapse_when_a_card_they_give_or_want_is_gone() -> None:
    """Rules of the house: several offers may name the same card; the first trade decides."""
    trading() \
        .when(c.Offer(1, hand=(1,), revealed=(1,))).then_among_others() \
        .when(c.Offer(2, revealed=(1,))).then_among_others() \
        .when(c.Offer(2, hand=(1, 2))).then_among_others() \
        .when(c.Offer(0, hand=(1,), want_revealed=(1, 2)), by=2).then_among_others() \
        .when(c.Offer(0, hand=(2,), want_revealed=(2,)), by=2).then_among_others() \
        .when(c.Offer(None, hand=(3,), want={"stink": 3})).then_among_others() \
        .when(c.Accept(1), by=1).then(
            e.TradeMade(1, 0, 1, ("blue", "soy"), (), (1,), (1,)),
            e.OfferLapsed(2), e.OfferLapsed(3), e.OfferLapsed(4),
        )  # fmt: skip


def test_an_acceptors_own_offers_lapse_too() -> None:
    """Rules of the house: cards given as payment are gone for the payer's open offers as well."""
    trading() \
        .when(c.Offer(0, hand=(1,)), by=1).then_among_others() \
        .when(c.Offer(1, want={"stink": 2})).then_among_others() \
        .when(c.Accept(2, hand=(1, 3)), by=1).then(
            e.TradeMade(2, 0, 1, (), ("stink", "stink"), partner_hand=(1, 3)), e.OfferLapsed(1)
        )  # fmt: skip


def test_the_active_player_alone_ends_trading() -> None:
    """Bohnanza (104), phase 2: house: it ends when the active player says so."""
    trading().when(c.EndTrading(), by=1).then_refused(errors.NotYourTurn)
    given(phase="plant_aside", aside=("red",)).when(c.EndTrading()).then_refused(errors.WrongPhase)


def test_what_is_left_of_the_revealed_cards_is_kept_and_open_offers_lapse() -> None:
    """Bohnanza (104), growing: revealed cards that were not given away are the active player's to plant."""
    table = trading() \
        .when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Offer(0, hand=(1,)), by=2).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others() \
        .when(c.EndTrading()).then(
            e.OfferLapsed(2), e.TradingEnded(0, ("red",)), e.PhaseBegan("plant_aside")
        )  # fmt: skip
    assert table.state.seats[0].aside == ((1, "red"),)
    assert table.state.seats[1].aside == ((1, "soy"),)


def test_with_nothing_aside_phase_4_follows_at_once() -> None:
    """Rules of the house: nothing to plant, so drawing is next."""
    given(phase="trade", revealed=()).when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("draw"))
