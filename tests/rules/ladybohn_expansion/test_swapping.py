"""Swapping a hand for a fan. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.rules.ladybohn_expansion.tables import (
    BLUE,
    CHILI,
    FOUR,
    HAND_OF_FOUR,
    RED,
    SIX,
    SOY,
    STINK,
    added,
    cards_of,
    table,
)
from tests.support.tables import seat_with


def test_a_hand_is_swapped_for_a_fan_of_its_size_and_both_keep_their_order() -> None:
    """The fans: a hand's front becomes the fan's top, and back; the new cards get new numbers."""
    after = table(hand=HAND_OF_FOUR).when(c.SwapHand(1)).then(e.HandSwapped(0, 1, HAND_OF_FOUR, FOUR))
    assert after.state.seats[0].hand == ((5, SOY), (6, CHILI), (7, CHILI), (8, STINK))
    assert added(after).fans == (SIX, HAND_OF_FOUR)
    assert e.HandSwapped.private == {}


def test_a_swap_back_restores_everything_but_the_numbers() -> None:
    """The fans: as often as wanted."""
    once = table(hand=HAND_OF_FOUR).when(c.SwapHand(1)).then(e.HandSwapped(0, 1, HAND_OF_FOUR, FOUR))
    twice = once.when(c.SwapHand(1)).then(e.HandSwapped(0, 1, FOUR, HAND_OF_FOUR))
    assert cards_of(twice.state.seats[0].hand) == HAND_OF_FOUR
    assert added(twice).fans == (SIX, FOUR)


def test_a_hand_of_six_fits_the_fan_of_six_only() -> None:
    """The fans: the number of cards in hand must match."""
    at = table(hand=(*FOUR, RED, RED))
    at.when(c.SwapHand(1)).then_refused(errors.HandDoesNotFit)
    at.when(c.SwapHand(0)).then(e.HandSwapped(0, 0, (*FOUR, RED, RED), SIX))


@pytest.mark.parametrize("size", [0, 1, 3, 5, 7])
@pytest.mark.parametrize("fan", [0, 1])
def test_other_hands_fit_no_fan(size: int, fan: int) -> None:
    """The fans: only a hand of six or of four cards."""
    table(hand=(BLUE,) * size, phase="trade").when(c.SwapHand(fan)).then_refused(errors.HandDoesNotFit)


@pytest.mark.parametrize("fan", [-1, 2])
def test_there_are_two_fans(fan: int) -> None:
    """The fans: fan 0 has six cards, fan 1 has four."""
    table(hand=HAND_OF_FOUR).when(c.SwapHand(fan)).then_refused(errors.NoSuchFan)


def test_cards_lying_aside_do_not_count() -> None:
    """House: the hand is what is in the hand."""
    table(hand=HAND_OF_FOUR, aside=(RED, RED), phase="plant_aside").when(c.SwapHand(1)).then(
        e.HandSwapped(0, 1, HAND_OF_FOUR, FOUR)
    )


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside", "draw", "levy"])
@pytest.mark.parametrize("seat", [0, 1])
def test_everybody_swaps_at_any_moment(phase: str, seat: int) -> None:
    """The fans: at any time, on turn or off."""
    at = table(
        phase=phase,
        hand=HAND_OF_FOUR,
        others={1: seat_with(HAND_OF_FOUR), 2: seat_with(coins=(RED,))},
        levies=(0,),
    )
    at.when(c.SwapHand(1), by=seat).then(e.HandSwapped(seat, 1, HAND_OF_FOUR, FOUR))


def test_andrea_plants_swaps_and_plants_again() -> None:
    """The fans, first example: five cards, one planted, the rest swapped for the four, and its first card planted."""
    at = table(hand=(BLUE, *HAND_OF_FOUR))
    at = at.when(c.Plant(0)).then(e.BeanPlanted(0, 0, BLUE))
    at = at.when(c.SwapHand(1)).then(e.HandSwapped(0, 1, HAND_OF_FOUR, FOUR))
    at = at.when(c.Plant(1)).then(e.BeanPlanted(0, 1, SOY), e.PhaseBegan("reveal"))
    at.when(c.Plant(1)).then_refused(errors.WrongPhase)


def test_a_swap_before_the_first_planting_leaves_it_a_must() -> None:
    """House: a swap does not change how many beans may and must be planted."""
    at = table(hand=HAND_OF_FOUR).when(c.SwapHand(1)).then(e.HandSwapped(0, 1, HAND_OF_FOUR, FOUR))
    at.when(c.Reveal()).then_refused(errors.MustPlantFirst)
    at.when(c.Plant(0)).then(e.BeanPlanted(0, 0, SOY))


def test_offers_with_a_card_of_a_swapped_hand_lapse() -> None:
    """House: the card is gone; offers that name no such card stay."""
    at = table(
        phase="trade",
        hand=(BLUE,),
        revealed=(RED,),
        others={1: seat_with(HAND_OF_FOUR), 2: seat_with((SOY,))},
    )
    for command, seat in (
        (c.Offer(0, hand=(2,)), 1),
        (c.Offer(0, want={"blue": 1}), 1),
        (c.Offer(0, hand=(1,)), 2),
        (c.Offer(want={"blue": 1}), 0),
    ):
        at = at.when(command, by=seat).then_among_others()
    after = at.when(c.SwapHand(1), by=1).then(e.HandSwapped(1, 1, HAND_OF_FOUR, FOUR), e.OfferLapsed(1))
    assert [offer.number for offer in after.state.offers] == [2, 3, 4]
