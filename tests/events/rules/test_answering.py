"""Phase 2: declining, countering and withdrawing offers. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.games import Giving, standard_games, trading


@pytest.mark.parametrize("command", [c.Accept(1), c.Decline(1), c.Counter(1, hand=(1,))])
@standard_games
def test_only_who_is_addressed_answers(given: Giving, command: c.Command) -> None:
    """Bohnanza (104), phase 2: a trade is between two; nobody answers their own offer, or one to somebody else."""
    gift = trading(given).when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(command, by=2).then_refused(errors.NotAddressedToYou)
    gift.when(command, by=0).then_refused(errors.OwnOffer)
    for number in (0, 2):
        other = type(command)(number)
        gift.when(other, by=1).then_refused(errors.NoSuchOffer)


@standard_games
def test_an_offer_open_to_all_stays_for_the_others_and_for_second_thoughts(given: Giving) -> None:
    """Rules of the house: who declined may still accept, but not decline twice."""
    trading(given).when(c.Offer(revealed=(1,))).then_among_others() \
        .when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=False)) \
        .when(c.Decline(1), by=1).then_refused(errors.DeclinedAlready) \
        .when(c.Decline(1), by=2).then(e.OfferDeclined(1, 2, closed=False)) \
        .when(c.Accept(1), by=1).then(e.TradeMade(1, 0, 1, ("soy",), (), active_revealed=(1,))) \
        .when(c.Accept(1), by=2).then_refused(errors.NoSuchOffer)  # fmt: skip


@standard_games
def test_an_offer_to_one_player_is_closed_by_the_answer(given: Giving) -> None:
    """Rules of the house: declined is done."""
    trading(given).when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Decline(1), by=1).then(e.OfferDeclined(1, 1, closed=True)) \
        .when(c.Accept(1), by=1).then_refused(errors.NoSuchOffer)  # fmt: skip


@standard_games
def test_a_counter_closes_an_offer_to_one_player_and_is_linked_to_it(given: Giving) -> None:
    """Rules of the house: a counter is a new offer to who made the first one."""
    trading(given).when(c.Offer(1, revealed=(1,), want={"red": 1})).then_among_others() \
        .when(c.Counter(1, hand=(1,), want_revealed=(1,)), by=1).then(
            e.OfferDeclined(1, 1, closed=True),
            e.OfferMade(2, 1, 0, (1,), ("stink",), want_revealed=(1,), counters=1),
        ) \
        .when(c.Counter(2, revealed=(1,), want={"stink": 2})).then(
            e.OfferDeclined(2, 0, closed=True), e.OfferMade(3, 0, 1, revealed=(1,), want={"stink": 2}, counters=2)
        )  # fmt: skip


@standard_games
def test_a_counter_to_an_offer_open_to_all_leaves_it_open(given: Giving) -> None:
    """Rules of the house: the others may still accept it, and so may who countered it."""
    countered = trading(given).when(c.Offer(revealed=(1,), want={"red": 1})).then_among_others() \
        .when(c.Counter(1, hand=(1,), want_revealed=(1,)), by=1).then(
            e.OfferMade(2, 1, 0, (1,), ("stink",), want_revealed=(1,), counters=1)
        )  # fmt: skip
    countered.when(c.Accept(1, hand=(2,)), by=1).then(
        e.TradeMade(1, 0, 1, ("soy",), ("red",), (), (1,), (2,)), e.OfferLapsed(2)
    )


@standard_games
def test_a_counter_is_checked_like_an_offer_and_closes_nothing_when_refused(given: Giving) -> None:
    """Rules of the house: a refused counter leaves the answered offer open."""
    gift = trading(given).when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(c.Counter(1), by=1).then_refused(errors.OfferEmpty)
    gift.when(c.Counter(1, hand=(9,)), by=1).then_refused(errors.NotInHand)
    gift.when(c.Counter(1, revealed=(1,)), by=1).then_refused(errors.RevealedNotYours)
    gift.when(c.Counter(1, want={"bear": 1}), by=1).then_refused(errors.NoSuchVariety)


@standard_games
def test_a_giver_may_withdraw_an_open_offer(given: Giving) -> None:
    """Rules of the house: only who made it, and only while it is open."""
    gift = trading(given).when(c.Offer(1, revealed=(1,))).then_among_others()
    gift.when(c.Withdraw(1), by=1).then_refused(errors.NotYourOffer)
    gift.when(c.Withdraw(2)).then_refused(errors.NoSuchOffer)
    gift.when(c.Withdraw(1)).then(e.OfferWithdrawn(1, 0)) \
        .when(c.Withdraw(1)).then_refused(errors.NoSuchOffer) \
        .when(c.Accept(1), by=1).then_refused(errors.NoSuchOffer)  # fmt: skip
