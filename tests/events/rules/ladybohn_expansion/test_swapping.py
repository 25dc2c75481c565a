"""Swapping a hand for a fan. Sections are those of the Lady Bohn booklet."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.ladybohn_expansion.errors import HandDoesNotFit, NoSuchFan
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    CHILI,
    FOUR,
    GREEN,
    HAND_OF_FOUR,
    RED,
    SIX,
    SOY,
    STINK,
    added,
    cards_of,
    table,
)
from tests.support.given import Given
from tests.support.tables import seat_with

ANDREAS, BEATES, DORAS = (RED,) * 6, (GREEN,) * 6, (CHILI,) * 6


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
    at.when(c.SwapHand(1)).then_refused(HandDoesNotFit)
    at.when(c.SwapHand(0)).then(e.HandSwapped(0, 0, (*FOUR, RED, RED), SIX))


@pytest.mark.parametrize("size", [0, 1, 3, 5, 7])
@pytest.mark.parametrize("fan", [0, 1])
def test_other_hands_fit_no_fan(size: int, fan: int) -> None:
    """The fans: only a hand of six or of four cards."""
    table(hand=(BLUE,) * size, phase="trade").when(c.SwapHand(fan)).then_refused(HandDoesNotFit)


@pytest.mark.parametrize("fan", [-1, 2])
def test_there_are_two_fans(fan: int) -> None:
    """The fans: fan 0 has six cards, fan 1 has four."""
    table(hand=HAND_OF_FOUR).when(c.SwapHand(fan)).then_refused(NoSuchFan)


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


def test_the_booklets_example_of_andrea_swapping_her_hand() -> None:
    """The fans, first example: Andrea has five cards, plants one, swaps the rest for the four, and plants again.

    She holds blue, red, blue, green, soy; the fan of four shows soy, chili, chili, stink.
    """
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


def beate_and_dora() -> Given:
    """It is Andrea's turn (seat 0); Beate (1), Christa (2) and Dora (3) follow; Beate and Dora hold six cards."""
    hands = {1: BEATES, 2: (GREEN,), 3: DORAS}
    return table(players=4, others={seat: seat_with(hand) for seat, hand in hands.items()})


def test_the_booklets_example_of_beate_and_dora_wanting_the_same_fan() -> None:
    """The fans, second example: Beate comes before Dora, who is left with what Beate has laid down.

    House: commands are played one after the other, so Beate comes first if hers does.
    """
    at = beate_and_dora().when(c.SwapHand(0), by=1).then(e.HandSwapped(1, 0, BEATES, SIX))
    after = at.when(c.SwapHand(0), by=3).then(e.HandSwapped(3, 0, DORAS, BEATES))
    assert cards_of(after.state.seats[1].hand) == SIX
    assert added(after).fans == (DORAS, FOUR)


@pytest.mark.parametrize("order", [*permutations((0, 1, 3))])
def test_swaps_are_played_in_the_order_in_which_they_come(order: tuple[int, ...]) -> None:
    """House: the booklet's precedence clockwise from the active player needs no rule."""
    at, lying = beate_and_dora(), SIX
    at = Given(at.rules, replace(at.state, seats=(seat_with(ANDREAS), *at.state.seats[1:])))
    for seat in order:
        hand = {0: ANDREAS, 1: BEATES, 3: DORAS}[seat]
        at = at.when(c.SwapHand(0), by=seat).then(e.HandSwapped(seat, 0, hand, lying))
        lying = hand


@pytest.mark.parametrize("planted", [0, 1])
def test_a_swap_off_turn_or_on_leaves_the_number_of_plantings(planted: int) -> None:
    """House: before, between and after the plantings of phase 1."""
    at = table(hand=HAND_OF_FOUR, planted=planted, others={1: seat_with((GREEN,) * 6)})
    at = at.when(c.SwapHand(0), by=1).then_among_others().when(c.SwapHand(1)).then_among_others()
    assert (at.state.phase, at.state.planted) == ("plant", planted)
    for field in range(2 - planted):
        at = at.when(c.Plant(field)).then_among_others(e.BeanPlanted(0, field, FOUR[field]))
    assert at.state.phase == "reveal"
    assert len(at.state.seats[0].hand) == 2 + planted


def test_after_two_plantings_a_swap_allows_no_third() -> None:
    """House: a new hand is no new phase 1."""
    at = table(hand=HAND_OF_FOUR, phase="reveal", planted=2).when(c.SwapHand(1)).then_among_others()
    at.when(c.Plant(0)).then_refused(errors.WrongPhase)


def test_the_active_players_offers_lapse_with_the_hand_too() -> None:
    """House: those that name a hand card; not those of revealed cards, nor what others ask for."""
    at = table(
        phase="trade",
        hand=HAND_OF_FOUR,
        revealed=(RED,),
        others={1: seat_with((BLUE, GREEN)), 2: seat_with()},
    )
    for command, seat in (
        (c.Offer(hand=(1,)), 0),
        (c.Offer(2, hand=(2,), revealed=(1,)), 0),
        (c.Offer(revealed=(1,), want={"blue": 1}), 0),
        (c.Offer(0, hand=(1,), want={"chili": 2}), 1),
    ):
        at = at.when(command, by=seat).then_among_others()
    at = at.when(c.SwapHand(1)).then(
        e.HandSwapped(0, 1, HAND_OF_FOUR, FOUR), e.OfferLapsed(1), e.OfferLapsed(2)
    )
    assert [offer.number for offer in at.state.offers] == [3, 4]
    at.when(c.Accept(4, (6, 7))).then_among_others(
        e.TradeMade(4, 0, 1, (CHILI, CHILI), (BLUE,), (6, 7), (), (1,))
    )


def test_an_offer_does_not_come_back_with_the_cards() -> None:
    """House: the cards of a hand that is swapped back have new numbers."""
    at = table(phase="trade", hand=(BLUE,), others={1: seat_with(HAND_OF_FOUR)})
    at = at.when(c.Offer(0, hand=(2,)), by=1).then_among_others()
    at = at.when(c.SwapHand(1), by=1).then_among_others(e.OfferLapsed(1))
    at = at.when(c.SwapHand(1), by=1).then(e.HandSwapped(1, 1, FOUR, HAND_OF_FOUR))
    assert at.state.offers == ()
    at.when(c.Offer(0, hand=(2,)), by=1).then_refused(errors.NotInHand)
