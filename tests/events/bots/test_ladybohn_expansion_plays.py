"""How the greedy bot plays rotations, fans, levies and promises of `ladybohn-expansion`."""

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.bots.greedy.in_varieties import in_varieties
from events.bots.memory import BotMemory
from events.bots.situation import Situation
from events.bots.systems.ladybohn_expansion.sparing import cost_of_promise, saved_by_promise
from events.rules.table.state import OpenOffer
from tests.events.bots.situations import choice_at, situation_at
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    CHILI,
    EYE,
    GARDEN,
    GREEN,
    MAKE_UP,
    RED,
    SIX,
    SOY,
    SOY_LADY,
    STINK,
    table,
)
from tests.support.given import Given
from tests.support.tables import seat_with

REDS = (RED,) * 5
"""A field that can grow no dearer."""


# --- rotations ---------------------------------------------------------------------------------------------


def test_a_harvest_brings_a_lady_to_the_top_of_another_field() -> None:
    """Five blue beans pay one coin under a mister, and two under a lady."""
    before = table(fields=(REDS, (BLUE, BLUE, BLUE, BLUE_LADY, BLUE)), phase="reveal")
    assert choice_at(before) == c.Harvest(0, 1)


def test_a_harvest_leaves_a_lady_where_she_is() -> None:
    """On top she is worth most."""
    before = table(fields=(REDS, (BLUE, BLUE, BLUE, BLUE, BLUE_LADY)), phase="reveal")
    assert choice_at(before) == c.Harvest(0)


def test_it_sells_under_a_lady_that_pays_more_than_growing_on() -> None:
    """Six soy beans under a lady pay four coins, all that there is to get."""
    before = table(fields=((SOY,) * 5 + (SOY_LADY,), (BLUE,)), phase="reveal")
    assert choice_at(before) == c.Harvest(0)


def test_it_waits_for_a_female_on_the_quota_field() -> None:
    """Without one the field pays nothing, however full it is."""
    before = table(fields=((BLUE,), (CHILI,), REDS), phase="reveal", quota=0)
    assert choice_at(before) == c.Reveal()


# --- fans --------------------------------------------------------------------------------------------------


def with_hand(*hand: str) -> Given:
    """Blue and chili beans grow; of the fans the one of four holds nothing else, the one of six something of all."""
    fans = (SIX, (BLUE, BLUE, CHILI, CHILI))
    return table(hand=hand, fields=((BLUE,) * 3, (CHILI,) * 3), fans=fans)


def test_it_swaps_a_hand_for_a_fan_that_fits_its_fields() -> None:
    """Instead of planting what would cost a field."""
    assert choice_at(with_hand(SOY, GARDEN, EYE, STINK)) == c.SwapHand(1)


def test_it_keeps_a_hand_that_fits() -> None:
    """And plants from it."""
    assert choice_at(with_hand(CHILI, CHILI, BLUE, BLUE)) == c.Plant(1)


def test_it_swaps_once_in_a_turn() -> None:
    """Whatever lies there then; in the next turn it may again."""
    before = with_hand(SOY, GARDEN, EYE, STINK)
    swapped = e.HandSwapped(0, 1, (RED,), (RED,))
    assert choice_at(before, memory=BotMemory().follow([swapped])) != c.SwapHand(1)
    assert choice_at(before, memory=BotMemory().follow([swapped, e.TurnBegan(0, 2)])) == c.SwapHand(1)
    others = replace(swapped, seat=1)
    assert choice_at(before, memory=BotMemory().follow([others])) == c.SwapHand(1)


@pytest.mark.parametrize(("grown", "fan"), [(BLUE, 0), (STINK, 1)])
def test_a_card_joins_the_fan_that_gives_up_the_better_one(grown: str, fan: int) -> None:
    """The bottom card of a fan that gets too long is revealed."""
    fans = ((RED, GREEN, GREEN, EYE, BLUE, BLUE), (RED, CHILI, CHILI, STINK))
    before = table(phase="fans", revealed=(RED,), fields=((grown,) * 3, (GARDEN,)), fans=fans)
    assert choice_at(before) == c.ChooseFan(fan)


# --- levies and promises -----------------------------------------------------------------------------------


def thought(before: Given) -> Situation:
    """What the bot on seat 0 is told, in varieties."""
    return in_varieties(situation_at(before))


def test_it_levies_the_richest() -> None:
    """Three of four, the one with fewest coins is spared."""
    others = {seat: seat_with((GREEN,), coins=(BLUE,) * seat) for seat in (1, 2, 3, 4)}
    choice = choice_at(table(players=5, phase="levy", levies=(0,), others=others))
    assert isinstance(choice, c.Levy)
    assert {*choice.seats} == {2, 3, 4}


def test_a_promise_is_worth_the_coin_of_a_levy_that_is_due() -> None:
    """To both sides, unless somebody else would pay instead; nothing where nobody levies, or it was given already."""
    rich = {seat: seat_with((GREEN,), coins=(BLUE,)) for seat in (1, 2, 3, 4)}
    few = thought(table(players=3, others={1: rich[1], 2: rich[2]}, levies=(0,)))
    many = thought(table(players=5, others=rich, levies=(0,)))
    assert (saved_by_promise(few, 0, 1), cost_of_promise(few, 0, 1)) == (1, 1)
    assert (saved_by_promise(many, 0, 1), cost_of_promise(many, 0, 1)) == (0.75, 0)
    given_already = thought(table(others={1: rich[1], 2: rich[2]}, levies=(0,), promises=((0, 1),)))
    assert (saved_by_promise(given_already, 0, 1), cost_of_promise(given_already, 0, 1)) == (0, 0)
    none = thought(table(others={1: rich[1], 2: rich[2]}))
    assert (saved_by_promise(none, 0, 1), cost_of_promise(none, 0, 1)) == (0, 0)


def test_who_grows_make_up_beans_needs_no_promise() -> None:
    """They protect from levies, and their owner may come to one."""
    grower = seat_with((GREEN,), ((MAKE_UP,) * 4, ()), coins=(BLUE,))
    seen = thought(table(others={1: grower}, coins=(BLUE,), levies=(0,)))
    assert saved_by_promise(seen, 0, 1) == 0
    assert 0 < saved_by_promise(seen, 1, 0) < 1


@pytest.mark.parametrize(("want_spared", "accepted"), [(False, True), (True, False)])
def test_it_promises_nothing_that_costs_more_than_it_gets(*, want_spared: bool, accepted: bool) -> None:
    """A blue bean is welcome, but not for the coin of a levy that is due."""
    before = table(
        phase="trade",
        hand=(GREEN,),
        fields=((BLUE,) * 2, (CHILI,) * 3),
        others={1: seat_with((BLUE,), coins=(RED,))},
        levies=(0,),
    )
    offer = OpenOffer(1, 1, 0, hand=(1,), hand_cards=(BLUE,), want_spared=want_spared)
    offered = Given(before.rules, replace(before.state, offers=(offer,), next_offer=2))
    assert (choice_at(offered) == c.Accept(1)) is accepted


def test_it_asks_to_be_spared_where_a_levy_is_due() -> None:
    """It offers the card that the levier grows, and asks for a promise rather than for nothing."""
    levier = seat_with((GREEN,), ((BLUE,) * 3, (CHILI,) * 3), coins=(SOY,))
    payers = {seat: seat_with((GREEN,), coins=(RED,)) for seat in (2, 3, 4)}
    before = table(
        players=5,
        phase="trade",
        hand=(BLUE, GARDEN),
        fields=((STINK,) * 4, (GREEN,) * 4),
        coins=(RED,),
        revealed=(BLUE,),
        others={1: levier, **payers},
        levies=(1,),
    )
    choice = choice_at(before)
    assert isinstance(choice, c.Offer)
    assert (choice.to, choice.want_spared) == (1, True)
