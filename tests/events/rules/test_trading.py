"""Phase 2: the trade itself, what becomes of other offers, and the end of the phase.

Sections are those of the 104-card booklet.
"""

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.games import Giving, standard_games, trading
from tests.support.tables import seat_with


@standard_games
def test_a_trade_changes_hands_at_once_and_lies_aside(given: Giving) -> None:
    """Bohnanza (104), phase 2: traded cards leave the hands with the trade, and lie apart until phase 3."""
    table = trading(given) \
        .when(c.Offer(1, hand=(1,), revealed=(2,), want={"stink": 2})).then_among_others() \
        .when(c.Accept(1, hand=(1, 3)), by=1).then(
            e.TradeMade(1, 0, 1, ("blue", "red"), ("stink", "stink"), (1,), (2,), (1, 3))
        )  # fmt: skip
    active, partner, *_ = table.state.seats
    assert active.hand == ((2, "chili"), (3, "blue"))
    assert partner.hand == ((2, "red"),)
    assert active.aside == ((1, "stink"), (2, "stink"))
    assert partner.aside == ((1, "blue"), (2, "red"))
    assert table.state.revealed == ((1, "soy"),)
    assert table.state.offers == ()


@standard_games
def test_the_order_in_which_payment_is_named_does_not_count(given: Giving) -> None:
    """Rules of the house: cards are named, not ordered."""
    asked = trading(given).when(c.Offer(1, want={"stink": 2})).then_among_others()
    asked.when(c.Accept(1, hand=(3, 1)), by=1).then(
        e.TradeMade(1, 0, 1, (), ("stink",) * 2, partner_hand=(1, 3))
    )


@standard_games
def test_a_trade_says_which_cards_without_their_places(given: Giving) -> None:
    """Rules of the house: the cards of a trade are public in the order of the catalogue, on both sides."""
    asked = trading(given).when(c.Offer(1, hand=(1, 2, 3), want={"red": 1, "stink": 2})).then_among_others()
    asked.when(c.Accept(1, hand=(1, 2, 3)), by=1).then(
        e.TradeMade(
            1, 0, 1, ("blue", "blue", "chili"), ("stink", "stink", "red"), (1, 2, 3), (), (1, 2, 3)
        )
    )  # fmt: skip


@standard_games
def test_nobody_has_to_accept_a_gift(given: Giving) -> None:
    """Bohnanza (104), phase 2, gifts: a gift needs the receiver's consent and may be declined."""
    gift = trading(given).when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=True))
    gift.when(c.Accept(1), by=1).then(e.TradeMade(1, 0, 1, ("soy",), (), active_revealed=(1,)))


@standard_games
def test_the_active_player_pays_a_want_from_hand_or_revealed_cards(given: Giving) -> None:
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


@standard_games
def test_an_acceptor_gives_exactly_what_is_wanted(given: Giving) -> None:
    """Rules of the house: no other variety, not fewer, not more."""
    asked = trading(given).when(c.Offer(1, want={"stink": 1, "red": 1})).then_among_others()
    for hand in ((), (1,), (1, 3), (1, 2, 3)):
        asked.when(c.Accept(1, hand=hand), by=1).then_refused(errors.PaymentMismatch)
    asked.when(c.Accept(1, hand=(3, 2)), by=1).then_among_others(
        e.TradeMade(1, 0, 1, (), ("stink", "red"), partner_hand=(2, 3))
    )


@standard_games
def test_an_acceptor_pays_with_cards_that_they_hold(given: Giving) -> None:
    """Bohnanza (104), phase 2: hand cards of one's own, each once; revealed ones are the active player's."""
    asked = trading(given).when(c.Offer(1, want={"stink": 2})).then_among_others()
    asked.when(c.Accept(1, hand=(1, 9)), by=1).then_refused(errors.NotInHand)
    asked.when(c.Accept(1, hand=(1, 1)), by=1).then_refused(errors.CardNamedTwice)
    asked.when(c.Accept(1, hand=(1, 3), revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)
    offered = trading(given).when(c.Offer(0, hand=(1,), want_revealed=(1,)), by=1).then_among_others()
    offered.when(c.Accept(1)).then_refused(errors.PaymentMismatch)
    offered.when(c.Accept(1, revealed=(3,))).then_refused(errors.NotRevealed)
    offered.when(c.Accept(1, revealed=(1, 1))).then_refused(errors.CardNamedTwice)


@standard_games
def test_received_cards_are_not_traded_again(given: Giving) -> None:
    """Bohnanza (104), phase 2: traded cards go neither into the hand nor into another trade."""
    table = trading(given).when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others()  # fmt: skip
    assert table.state.seats[1].aside == ((1, "soy"),)
    table.when(c.Offer(0, want_revealed=(1,)), by=2).then_refused(errors.NotRevealed)
    table.when(c.Offer(0, hand=(4,)), by=1).then_refused(errors.NotInHand)


@standard_games
def test_any_card_of_the_hand_may_go_the_front_one_too(given: Giving) -> None:
    """Bohnanza (104), phase 2, note: a card's place in the hand does not matter; the others keep their order."""
    table = (
        trading(given)
        .when(c.Offer(0, hand=(1,)), by=2)
        .then_among_others()
        .when(c.Accept(1))
        .then_among_others()
    )
    assert table.state.seats[2].hand == ((2, "blue"),)


@standard_games
def test_the_numbers_of_cards_traded_need_not_be_equal(given: Giving) -> None:
    """Bohnanza (104), phase 2: three cards may go for one."""
    table = (
        trading(given)
        .when(c.Offer(1, hand=(1,), revealed=(1, 2), want={"red": 1}))
        .then_among_others()
        .when(c.Accept(1, hand=(2,)), by=1)
        .then(e.TradeMade(1, 0, 1, ("blue", "soy", "red"), ("red",), (1,), (1, 2), (2,)))
    )
    assert [len(seat.aside) for seat in table.state.seats[:2]] == [1, 3]


@standard_games
def test_gifts_go_from_the_active_player_and_to_them(given: Giving) -> None:
    """Bohnanza (104), phase 2, gifts: revealed cards and hand cards are given, by the others hand cards only."""
    table = trading(given)
    table.when(c.Offer(2, hand=(2,), revealed=(2,))).then_among_others() \
        .when(c.Accept(1), by=2).then(e.TradeMade(1, 0, 2, ("chili", "red"), (), (2,), (2,)))  # fmt: skip
    table.when(c.Offer(0, hand=(1, 3)), by=1).then_among_others() \
        .when(c.Accept(1)).then(e.TradeMade(1, 0, 1, (), ("stink", "stink"), partner_hand=(1, 3)))  # fmt: skip


@standard_games
def test_a_revealed_card_may_be_kept_and_traded_after_all(given: Giving) -> None:
    """Bohnanza (154), example 2; rules of the house: nothing is set aside for good before the phase ends."""
    trading(given) \
        .when(c.Say("I keep the soy bean.")).then_among_others() \
        .when(c.Offer(1, revealed=(2,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others() \
        .when(c.Offer(0, hand=(1,), want_revealed=(1,)), by=2).then_among_others() \
        .when(c.Accept(2, revealed=(1,))).then(
            e.TradeMade(2, 0, 2, ("soy",), ("green",), active_revealed=(1,), partner_hand=(1,))
        )  # fmt: skip


@standard_games
def test_a_gift_leaves_the_hand_when_it_is_accepted(given: Giving) -> None:
    """Bohnanza (154), Italian booklet, gifts: first it is offered, then accepted, then it leaves the hand."""
    gift = trading(given).when(c.Offer(0, hand=(2,)), by=1).then_among_others()
    assert [number for number, _ in gift.state.seats[1].hand] == [1, 2, 3]
    refused = gift.when(c.Decline(1)).then_among_others()
    assert [number for number, _ in refused.state.seats[1].hand] == [1, 2, 3]
    accepted = gift.when(c.Accept(1)).then_among_others()
    assert [number for number, _ in accepted.state.seats[1].hand] == [1, 3]
    assert accepted.state.seats[0].aside == ((1, "red"),)


@standard_games
def test_trading_goes_on_when_the_revealed_cards_are_gone(given: Giving) -> None:
    """Bohnanza (154), rules for trades: hand cards may be traded after both revealed cards."""
    trading(given) \
        .when(c.Offer(1, revealed=(1, 2))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others(e.TradeMade(1, 0, 1, ("soy", "red"), (), (), (1, 2))) \
        .when(c.Offer(2, hand=(1,), want={"green": 1})).then_among_others() \
        .when(c.Accept(2, hand=(1,)), by=2).then(
            e.TradeMade(2, 0, 2, ("blue",), ("green",), active_hand=(1,), partner_hand=(1,))
        )  # fmt: skip


# --- lapsing and ending ------------------------------------------------------------------------------------


@standard_games
def test_offers_lapse_when_a_card_they_give_or_want_is_gone(given: Giving) -> None:
    """Rules of the house: several offers may name the same card; the first trade decides."""
    trading(given) \
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


@standard_games
def test_an_acceptors_own_offers_lapse_too(given: Giving) -> None:
    """Rules of the house: cards given as payment are gone for the payer's open offers as well."""
    trading(given) \
        .when(c.Offer(0, hand=(1,)), by=1).then_among_others() \
        .when(c.Offer(1, want={"stink": 2})).then_among_others() \
        .when(c.Accept(2, hand=(1, 3)), by=1).then(
            e.TradeMade(2, 0, 1, (), ("stink", "stink"), partner_hand=(1, 3)), e.OfferLapsed(1)
        )  # fmt: skip


@standard_games
def test_the_active_player_alone_ends_trading(given: Giving) -> None:
    """Bohnanza (104), phase 2: house: it ends when the active player says so."""
    trading(given).when(c.EndTrading(), by=1).then_refused(errors.NotYourTurn)
    given(phase="plant_aside", aside=("red",)).when(c.EndTrading()).then_refused(errors.WrongPhase)


@standard_games
def test_what_is_left_of_the_revealed_cards_is_kept_and_open_offers_lapse(given: Giving) -> None:
    """Bohnanza (104), growing: revealed cards that were not given away are the active player's to plant."""
    table = trading(given) \
        .when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Offer(0, hand=(1,)), by=2).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others() \
        .when(c.EndTrading()).then(
            e.OfferLapsed(2), e.TradingEnded(0, ("red",)), e.PhaseBegan("plant_aside")
        )  # fmt: skip
    assert table.state.seats[0].aside == ((1, "red"),)
    assert table.state.seats[1].aside == ((1, "soy"),)


@standard_games
def test_with_nothing_aside_phase_4_follows_at_once(given: Giving) -> None:
    """Rules of the house: nothing to plant, so drawing is next."""
    given(phase="trade", revealed=()).when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("draw"))
