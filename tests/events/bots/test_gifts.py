"""How the greedy bot offers gifts, answers them and bluffs in `the-duel`, and what it hopes for from bonus cards."""

import pytest

from events import commands as c
from events.bots.systems.the_duel.gifts import likely_real
from events.domain_events import Card
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.state import Field
from tests.events.bots.situations import choice_at, situation_at
from tests.support.duels import given_duel, side
from tests.support.given import Given

SOY: tuple[Field, ...] = (("soy",) * 3,) * 3
"""Fields that gain by a soy bean, and that a blue bean would cost."""


def offering(hand: tuple[Card, ...], coins: tuple[Card, ...]) -> Given:
    """Both grow soy beans on every field; seat 0 has to offer a gift."""
    return given_duel(side(hand, SOY, coins), side(("red",), SOY), phase="offer_gift")


def answering(own_coins: tuple[Card, ...] = (), revealed: tuple[Card, ...] = ("red",)) -> Given:
    """Both grow soy beans on every field; seat 1 offers a blue bean, and seat 0 could offer a chili bean."""
    return given_duel(
        side(("chili",), SOY, own_coins),
        side(("red",) * 5, SOY, ("garden",)),
        phase="answer_gift",
        active=1,
        gifts=((1, "blue"),),
        revealed=revealed,
    )


def test_it_bluffs_where_every_bean_it_holds_would_help_the_opponent() -> None:
    """With what the opponent will hardly take: a field would have to go for it."""
    choice = choice_at(offering(("soy",), ("garden",)))
    assert isinstance(choice, c.OfferGift)
    assert choice.variety in {"blue", "chili", "stink"}


def test_without_a_coin_it_offers_what_it_holds() -> None:
    """A bluff could not be paid for."""
    assert choice_at(offering(("soy",), ())) == c.OfferGift("soy")


def test_it_does_not_bluff_where_a_bean_is_in_its_own_way() -> None:
    """That is a gift that may well be taken."""
    assert choice_at(offering(("soy", "blue"), ("garden",))) == c.OfferGift("blue")


def test_it_refuses_a_gift_that_would_cost_a_field() -> None:
    """And offers what the other does not want either."""
    assert choice_at(answering()) == c.CounterGift("chili")


def test_it_calls_a_bluff_when_every_bean_of_the_variety_is_in_sight() -> None:
    """All twenty blue beans lie before it: the offer is worth a coin."""
    assert choice_at(answering(own_coins=("blue",) * 20)) == c.AcceptGift()


def test_it_reckons_with_what_is_in_sight() -> None:
    """A bean that lies revealed is real, and so is the offer of who has no coin; one that is gone is not."""
    assert likely_real(situation_at(answering(revealed=("blue",))), "blue") == 1
    assert likely_real(situation_at(answering(own_coins=("blue",) * 20)), "blue") == 0
    poor = given_duel(side(("chili",), SOY), side(("red",), SOY), phase="answer_gift", gifts=((1, "red"),))
    assert likely_real(situation_at(poor), "red") == 1
    assert 0.5 < likely_real(situation_at(answering()), "blue") < 1


@pytest.mark.parametrize(("bonus", "field"), [((), 1), (("c40_345",), 0)])
def test_it_plants_for_a_bonus_card_that_it_holds(bonus: tuple[Card, ...], field: int) -> None:
    """The third symbol of a sequence is worth more than the second bean of its variety."""
    before = given_duel(
        side(("green",), (("black_eyed", "soy"), ("green", "green"), ("garden",) * 2)),
        side(("red",)),
        bonus=(DuelSeat(bonus=bonus), DuelSeat(bonus=("c40_345",))),
    )
    assert choice_at(before) == c.Plant(field)
