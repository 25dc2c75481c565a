"""Revealed cards that match the top of a fan, or of both. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.move import DEALER
from events.rules.systems.ladybohn_expansion.errors import NoSuchFan
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    CHILI,
    EYE,
    FOUR,
    GREEN,
    HAND_OF_FOUR,
    MAKE_UP,
    RED,
    SIX,
    SOY,
    SOY_LADY,
    STINK,
    added,
    cards_of,
    revealing,
    table,
)
from tests.support.given import Given


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


def test_make_up_beans_join_a_fan_too() -> None:
    """The play course, B: a make-up bean is a bean like any other here."""
    fans = ((MAKE_UP, *SIX[1:]), FOUR)
    revealing(MAKE_UP, RED, fans=fans).when(c.Reveal()).then_among_others(
        e.RevealedPutOnFan(0, 1, 0, MAKE_UP)
    )


def test_only_one_card_left_is_placed_too() -> None:
    """House: a reveal shows what there is, and that is compared with the fans."""
    at = table(phase="reveal", hand=(), draw_pile=(SOY,), exhaustions=2)
    at.when(c.Reveal()).then(
        e.CardsRevealed(0, (SOY,)),
        e.PileExhausted("draw", 3),
        e.RevealedPutOnFan(0, 1, 1, SOY),
        e.FanOverflowed(0, 1, (STINK,)),
        e.PhaseBegan("trade"),
    )


def test_with_no_card_left_there_is_trading_all_the_same() -> None:
    """House: a reveal shows what there is, possibly nothing."""
    at = table(phase="reveal", hand=(), draw_pile=(), exhaustions=3)
    at.when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade"))


# --- choosing -------------------------------------------------------------------------------------------

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
    choosing().when(c.ChooseFan(fan)).then_refused(NoSuchFan)


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


def test_ladies_go_before_males_of_another_variety() -> None:
    """The play course, B: ladies first on whichever fan, males after them, each sex in the order revealed."""
    revealing(SOY, BLUE_LADY).when(c.Reveal()).then_among_others(
        e.RevealedPutOnFan(0, 2, 0, BLUE_LADY), e.RevealedPutOnFan(0, 1, 1, SOY)
    )
    revealing(SOY_LADY, BLUE_LADY).when(c.Reveal()).then_among_others(
        e.RevealedPutOnFan(0, 1, 1, SOY_LADY), e.RevealedPutOnFan(0, 2, 0, BLUE_LADY)
    )


def test_a_male_joins_a_fan_with_a_lady_on_top() -> None:
    """The play course, B: the sort counts, not the sex."""
    fans = ((BLUE_LADY, *SIX[1:]), FOUR)
    revealing(BLUE, RED, fans=fans).when(c.Reveal()).then_among_others(e.RevealedPutOnFan(0, 1, 0, BLUE))


def test_only_the_top_of_a_fan_is_compared() -> None:
    """The play course, B: what lies below, down to the bottom, matches nothing."""
    revealing(RED, CHILI).when(c.Reveal()).then(e.CardsRevealed(0, (RED, CHILI)), e.PhaseBegan("trade"))
    revealing(STINK, EYE).when(c.Reveal()).then(e.CardsRevealed(0, (STINK, EYE)), e.PhaseBegan("trade"))


def test_a_lady_and_a_male_of_one_variety_on_top_leave_a_choice_too() -> None:
    """The play course, B: the same sort on both fans."""
    fans = (SIX, (BLUE_LADY, *FOUR[1:]))
    at = revealing(BLUE, RED, fans=fans).when(c.Reveal()).then(
        e.CardsRevealed(0, (BLUE, RED)), e.PhaseBegan("fans")
    )  # fmt: skip
    at.when(c.ChooseFan(1)).then_among_others(e.RevealedPutOnFan(0, 1, 1, BLUE), e.PhaseBegan("trade"))


def test_a_shuffle_on_the_way_does_not_take_the_choice_away() -> None:
    """House: the dealer comes first, then the choice."""
    at = table(phase="reveal", hand=(), draw_pile=(BLUE,), discard_pile=(RED, RED), fans=BOTH)
    at = at.when(c.Reveal()).then_among_others(e.CardsRevealed(0, (BLUE,)), e.PileExhausted("draw", 1))
    at.when(c.ChooseFan(0)).then_refused(errors.DealerMustAct)
    at = at.when(c.Shuffle("draw", (RED, RED)), by=DEALER).then_among_others(
        e.CardsRevealed(0, (RED,)), e.PhaseBegan("fans")
    )
    at.when(c.ChooseFan(0)).then_among_others(e.RevealedPutOnFan(0, 1, 0, BLUE))


def test_a_reveal_of_the_last_two_cards_is_placed_after_the_shuffle() -> None:
    """House: the pile is refilled the moment it empties; nothing more is owed, and the cards join the fans."""
    at = table(phase="reveal", hand=(), draw_pile=(BLUE, RED), discard_pile=(SOY, SOY))
    at = at.when(c.Reveal()).then(
        e.CardsRevealed(0, (BLUE, RED)),
        e.PileExhausted("draw", 1),
        e.DealerCalled("shuffle", "draw", "reveal", 0, 0),
    )
    at.when(c.Shuffle("draw", (SOY, SOY)), by=DEALER).then(
        e.PileShuffled("draw", 2, (SOY, SOY)),
        e.RevealedPutOnFan(0, 1, 0, BLUE),
        e.FanOverflowed(0, 0, (BLUE,)),
        e.PhaseBegan("trade"),
    )
