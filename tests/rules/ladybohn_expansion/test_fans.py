"""The two fans: laid out, swapped for a hand, and fed at the reveal. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.codec import decode_event
from events.rules import errors
from events.rules.move import DEALER
from events.rules.state import OpenOffer
from tests.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    CHILI,
    EYE,
    FOUR,
    GREEN,
    MAKE_UP,
    RED,
    SIX,
    SOY,
    SOY_LADY,
    STINK,
    added,
    cards_of,
    new_lady_bohn,
    table,
)
from tests.support.given import Given
from tests.support.tables import seat_with

HAND_OF_FOUR = (RED, BLUE, GREEN, SOY)


# --- laying out --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "left"), [(3, 111), (4, 106), (5, 101)])
def test_after_the_deal_two_fans_are_laid_out(players: int, left: int) -> None:
    """Preparing the game: hands of five, then six cards and then four from the top of the pile, face up."""
    begun, log = new_lady_bohn(players)
    events = [decode_event(entry) for entry in log]
    dealt = [event for event in events if isinstance(event, e.HandDealt | e.FanLaidOut)]
    assert [len(event.cards) for event in dealt] == [5] * players + [6, 4]
    pile = next(event for event in events if isinstance(event, e.PileShuffled)).order
    assert tuple(card for event in dealt for card in event.cards) == pile[: 5 * players + 10]
    assert len(begun.state.draw_pile) == left
    assert begun.state.lady_bohn is not None
    assert begun.state.lady_bohn.fans == (dealt[-2].cards, dealt[-1].cards)


# --- swapping ----------------------------------------------------------------------------------------------


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


# --- at the reveal -----------------------------------------------------------------------------------------


def revealing(
    *pile: str, fans: tuple[tuple[str, ...], ...] = (SIX, FOUR), hand: tuple[str, ...] = ()
) -> Given:
    """The active player can reveal these cards."""
    return table(phase="reveal", hand=hand, draw_pile=(*pile, GREEN, GREEN), fans=fans)


def test_the_example_of_soy_and_blue() -> None:
    """The play course, B, the worked example: both join a fan, and their last cards come into the offer."""
    after = revealing(SOY, BLUE).when(c.Reveal()).then(
        e.CardsRevealed(0, (SOY, BLUE)),
        e.RevealedPutOnFan(0, 1, 1, SOY),
        e.RevealedPutOnFan(0, 2, 0, BLUE),
        e.FanOverflowed(0, 0, (BLUE,)),
        e.FanOverflowed(0, 1, (STINK,)),
        e.PhaseBegan("trade"),
    )  # fmt: skip
    assert added(after).fans == ((BLUE, BLUE, RED, GREEN, EYE, BLUE), (SOY, SOY, CHILI, CHILI))
    assert sorted(cards_of(after.state.revealed)) == [BLUE, STINK]


def test_what_came_out_of_a_fan_stays() -> None:
    """The play course, B: the procedure is not repeated, so the blue bean that came out is traded."""
    after = revealing(BLUE, RED).when(c.Reveal()).then_among_others(e.FanOverflowed(0, 0, (BLUE,)))
    assert cards_of(after.state.revealed) == (RED, BLUE)
    assert after.state.phase == "trade"


def test_what_matches_no_fan_is_left_alone() -> None:
    """The play course, B: only the variety on top counts."""
    revealing(RED, CHILI).when(c.Reveal()).then(e.CardsRevealed(0, (RED, CHILI)), e.PhaseBegan("trade"))


def test_a_lady_joins_a_fan_of_her_variety() -> None:
    """The play course, B: the sort counts, not the sex."""
    after = (
        revealing(BLUE_LADY, RED).when(c.Reveal()).then_among_others(e.RevealedPutOnFan(0, 1, 0, BLUE_LADY))
    )
    assert added(after).fans[0][:2] == (BLUE_LADY, BLUE)


def test_ladies_first() -> None:
    """The play course, B: the female is put first, then the male, so the male ends on top."""
    after = (
        revealing(BLUE, BLUE_LADY)
        .when(c.Reveal())
        .then_among_others(e.RevealedPutOnFan(0, 2, 0, BLUE_LADY), e.RevealedPutOnFan(0, 1, 0, BLUE))
    )
    assert added(after).fans[0] == (BLUE, BLUE_LADY, BLUE, RED, GREEN, EYE)


def test_two_cards_too_many_leave_in_one_packet() -> None:
    """The play course, B: a fan gives as many of its lowest cards as it has too many, after all were put."""
    revealing(SOY, SOY_LADY).when(c.Reveal()).then(
        e.CardsRevealed(0, (SOY, SOY_LADY)),
        e.RevealedPutOnFan(0, 2, 1, SOY_LADY),
        e.RevealedPutOnFan(0, 1, 1, SOY),
        e.FanOverflowed(0, 1, (CHILI, STINK)),
        e.PhaseBegan("trade"),
    )


def test_make_up_beans_join_a_fan_too() -> None:
    """The play course, B: a make-up bean is a bean like any other here."""
    fans = ((MAKE_UP, *SIX[1:]), FOUR)
    revealing(MAKE_UP, RED, fans=fans).when(c.Reveal()).then_among_others(
        e.RevealedPutOnFan(0, 1, 0, MAKE_UP)
    )


def test_only_one_card_left_is_placed_too() -> None:
    """House: a reveal shows what there is."""
    at = table(phase="reveal", hand=(), draw_pile=(), exhaustions=3)
    at.when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade"))


# --- choosing ----------------------------------------------------------------------------------------------

BOTH = (SIX, (BLUE, *FOUR[1:]))
"""Fans with the same variety on top."""


def choosing() -> Given:
    """A blue lady and a blue male are revealed, and both fans show blue."""
    return (
        revealing(BLUE, BLUE_LADY, fans=BOTH, hand=HAND_OF_FOUR)
        .when(c.Reveal())
        .then(e.CardsRevealed(0, (BLUE, BLUE_LADY)), e.PhaseBegan("fans"))
    )


def test_where_both_fans_match_the_active_player_chooses() -> None:
    """The play course, B: she may decide on top of which fan she wants to put it, card by card, ladies first."""
    at = choosing().when(c.ChooseFan(1)).then(e.RevealedPutOnFan(0, 2, 1, BLUE_LADY))
    at.when(c.ChooseFan(0)).then(
        e.RevealedPutOnFan(0, 1, 0, BLUE),
        e.FanOverflowed(0, 0, (BLUE,)),
        e.FanOverflowed(0, 1, (STINK,)),
        e.PhaseBegan("trade"),
    )


def test_the_same_fan_may_take_both() -> None:
    """House: each card is chosen for anew."""
    at = choosing().when(c.ChooseFan(1)).then(e.RevealedPutOnFan(0, 2, 1, BLUE_LADY))
    after = at.when(c.ChooseFan(1)).then(
        e.RevealedPutOnFan(0, 1, 1, BLUE), e.FanOverflowed(0, 1, (CHILI, STINK)), e.PhaseBegan("trade")
    )
    assert added(after).fans == (SIX, (BLUE, BLUE_LADY, BLUE, CHILI))


@pytest.mark.parametrize("fan", [-1, 2])
def test_the_choice_is_between_the_two_fans(fan: int) -> None:
    """House: fans are named by number."""
    choosing().when(c.ChooseFan(fan)).then_refused(errors.NoSuchFan)


def test_only_the_active_player_chooses() -> None:
    """The play course, B: the player in turn."""
    choosing().when(c.ChooseFan(0), by=1).then_refused(errors.NotYourTurn)


@pytest.mark.parametrize(
    "command", [c.Harvest(0), c.BuyField(), c.SwapHand(1), c.Offer(want={"blue": 1}), c.EndTrading()]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_until_then_nothing_but_talk_is_accepted(command: c.Command, seat: int) -> None:
    """House: everything else waits for the choice."""
    choosing().when(command, by=seat).then_refused(
        errors.WrongPhase if type(command) in (c.Offer, c.EndTrading) else errors.ChoiceDue
    )
    choosing().when(c.Say("left or right?"), by=seat).then(e.Talked(seat, "left or right?"))


def test_without_a_choice_there_is_none_to_make() -> None:
    """House: the command belongs to that moment only."""
    table(phase="trade").when(c.ChooseFan(0)).then_refused(errors.WrongPhase)


def test_a_card_for_one_fan_is_placed_before_and_after_a_choice() -> None:
    """The play course, B: whatever has only one place goes there by itself."""
    fans = ((BLUE, *SIX[1:]), (BLUE, *FOUR[1:]))
    at = (
        revealing(BLUE, RED, fans=fans)
        .when(c.Reveal())
        .then(e.CardsRevealed(0, (BLUE, RED)), e.PhaseBegan("fans"))
    )
    after = at.when(c.ChooseFan(1)).then_among_others(e.RevealedPutOnFan(0, 1, 1, BLUE))
    assert cards_of(after.state.revealed) == (RED, STINK)


def test_a_reveal_that_a_shuffle_interrupts_is_placed_as_a_whole() -> None:
    """House: the fans are looked at when both cards lie there."""
    at = table(phase="reveal", hand=(), draw_pile=(BLUE,), discard_pile=(BLUE_LADY,))
    at = at.when(c.Reveal()).then(
        e.CardsRevealed(0, (BLUE,)),
        e.PileExhausted("draw", 1),
        e.DealerCalled("shuffle", "draw", "reveal", 0, 1),
    )
    after = at.when(c.Shuffle("draw", (BLUE_LADY,)), by=DEALER).then_among_others(
        e.RevealedPutOnFan(0, 2, 0, BLUE_LADY), e.RevealedPutOnFan(0, 1, 0, BLUE), e.PhaseBegan("trade")
    )
    assert added(after).fans[0] == (BLUE, BLUE_LADY, BLUE, RED, GREEN, EYE)


def test_an_offer_for_a_revealed_card_can_name_what_came_out_of_a_fan() -> None:
    """The play course, B: it is in the offer of the turn."""
    at = revealing(SOY, RED).when(c.Reveal()).then_among_others(e.FanOverflowed(0, 1, (STINK,)))
    after = at.when(c.Offer(0, want_revealed=(3,)), by=1).then(e.OfferMade(1, 1, 0, want_revealed=(3,)))
    assert after.state.offers == (OpenOffer(1, 1, 0, want_revealed=(3,)),)
