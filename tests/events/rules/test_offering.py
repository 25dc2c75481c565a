"""Phase 2: who offers what to whom. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.phases.trading import OPEN_OFFERS
from tests.events.rules.games import Giving, standard_games, trading


@standard_games
def test_the_active_player_offers_revealed_and_hand_cards_together(given: Giving) -> None:
    """Bohnanza (104), phase 2: both kinds of cards may be proposed, to one player, for something wanted."""
    table = (
        trading(given)
        .when(c.Offer(1, hand=(2,), revealed=(1,), want={"stink": 2}))
        .then(e.OfferMade(1, 0, 1, (2,), ("chili",), (1,), {"stink": 2}))
    )
    assert [offer.number for offer in table.state.offers] == [1]
    assert [number for number, _ in table.state.seats[0].hand] == [1, 2, 3], (
        "cards leave the hand with the trade only"
    )


@standard_games
def test_what_is_offered_is_said_without_its_place(given: Giving) -> None:
    """Rules of the house: others learn the varieties, in the order of the catalogue, not numbers or places."""
    trading(given).when(c.Offer(1, hand=(3, 2, 1))).then(
        e.OfferMade(1, 0, 1, hand=(1, 2, 3), hand_cards=("blue", "blue", "chili"))
    )
    assert "hand" in e.OfferMade.private


@standard_games
def test_an_offer_may_be_open_to_all(given: Giving) -> None:
    """Rules of the house: the active player may address everybody."""
    trading(given).when(c.Offer(revealed=(2, 1))).then(e.OfferMade(1, 0, None, revealed=(1, 2)))


@standard_games
def test_another_player_offers_hand_cards_for_revealed_ones(given: Giving) -> None:
    """Bohnanza (104), phase 2: others propose cards of their hand, to the active player."""
    trading(given).when(c.Offer(0, hand=(1,), want={"blue": 1}, want_revealed=(2,)), by=1).then(
        e.OfferMade(1, 1, 0, (1,), ("stink",), want={"blue": 1}, want_revealed=(2,))
    )


@standard_games
def test_a_gift_and_a_request_are_offers(given: Giving) -> None:
    """Bohnanza (104), phase 2, gifts: one side may be empty; house: a request without payment too."""
    trading(given).when(c.Offer(0, hand=(2,)), by=1).then(e.OfferMade(1, 1, 0, (2,), ("red",)))
    trading(given).when(c.Offer(1, want={"stink": 1})).then(e.OfferMade(1, 0, 1, want={"stink": 1}))


@standard_games
def test_an_offer_of_nothing_for_nothing_is_refused(given: Giving) -> None:
    """Rules of the house: promises do not count, so both sides cannot be empty."""
    trading(given).when(c.Offer(1)).then_refused(errors.OfferEmpty)


@standard_games
def test_an_offer_may_ask_for_what_nobody_has(given: Giving) -> None:
    """Rules of the house: it may be addressed to somebody who cannot fulfil it; then only the others can refuse."""
    trading(given).when(c.Offer(2, want={"black_eyed": 10})).then(e.OfferMade(1, 0, 2, want={"black_eyed": 10})) \
        .when(c.Accept(1), by=2).then_refused(errors.PaymentMismatch) \
        .when(c.Decline(1), by=2).then(e.OfferDeclined(1, 2, closed=True))  # fmt: skip


@pytest.mark.parametrize(("seat", "to"), [(1, 2), (1, None), (1, 1), (0, 0), (0, 7), (0, -1), (2, 3)])
@standard_games
def test_trades_are_between_the_active_player_and_one_other(given: Giving, seat: int, to: int | None) -> None:
    """Bohnanza (104), phase 2: others negotiate with the active player only."""
    trading(given).when(c.Offer(to, hand=(1,)), by=seat).then_refused(errors.WrongAddressee)


@pytest.mark.parametrize("hand", [(4,), (0,), (1, 4), (-1,)])
@standard_games
def test_only_cards_in_hand_can_be_offered(given: Giving, hand: tuple[int, ...]) -> None:
    """Bohnanza (104), phase 2: players offer their own cards."""
    trading(given).when(c.Offer(1, hand=hand)).then_refused(errors.NotInHand)


@standard_games
def test_a_card_cannot_be_offered_or_wanted_twice_in_one_offer(given: Giving) -> None:
    """Rules of the house: a card is named once."""
    trading(given).when(c.Offer(1, hand=(1, 1))).then_refused(errors.CardNamedTwice)
    trading(given).when(c.Offer(1, revealed=(1, 1))).then_refused(errors.CardNamedTwice)
    trading(given).when(c.Offer(0, want_revealed=(2, 2)), by=1).then_refused(errors.CardNamedTwice)


@standard_games
def test_revealed_cards_are_the_active_players_to_give(given: Giving) -> None:
    """Bohnanza (104), phase 2, gifts: others give from their hand only."""
    trading(given).when(c.Offer(0, revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)


@standard_games
def test_the_active_player_does_not_ask_for_the_revealed_cards(given: Giving) -> None:
    """Bohnanza (104), phase 2: the active player turned them up and owns them."""
    trading(given).when(c.Offer(1, want_revealed=(1,))).then_refused(errors.NotWanted)


@standard_games
def test_only_revealed_cards_can_be_named_as_revealed(given: Giving) -> None:
    """Bohnanza (104), phase 2: the two cards that were turned up."""
    trading(given).when(c.Offer(1, revealed=(3,))).then_refused(errors.NotRevealed)
    trading(given).when(c.Offer(0, want_revealed=(3,)), by=1).then_refused(errors.NotRevealed)


@standard_games
def test_wants_name_varieties_of_the_game_in_amounts_that_exist(given: Giving) -> None:
    """Rules of the house: hand cards are wanted by variety and number."""
    trading(given).when(c.Offer(1, want={"bear": 1})).then_refused(errors.NoSuchVariety)
    for count in (0, -1, 13):
        trading(given).when(c.Offer(1, want={"soy": count})).then_refused(errors.BadAmount)


@standard_games
def test_a_player_has_a_limited_number_of_open_offers(given: Giving) -> None:
    """Rules of the house: not more than the table can follow; others are not limited by that."""
    table = trading(given)
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
@standard_games
def test_trading_belongs_to_phase_2(given: Giving, phase: str, command: c.Command) -> None:
    """Bohnanza (104), course of the game: actions come in their order."""
    given(phase=phase).when(command).then_refused(errors.WrongPhase)
