"""What fans give back at the reveal. Sections are those of the Lady Bohn booklet."""

from events import commands as c
from events import domain_events as e
from events.rules.state import OpenOffer
from tests.rules.ladybohn_expansion.tables import (
    BLUE,
    CHILI,
    EYE,
    GREEN,
    RED,
    SOY,
    SOY_LADY,
    STINK,
    added,
    cards_of,
    revealing,
)


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


def test_two_cards_too_many_leave_in_one_packet() -> None:
    """The play course, B: a fan gives as many of its lowest cards as it has too many, after all were put."""
    revealing(SOY, SOY_LADY).when(c.Reveal()).then(
        e.CardsRevealed(0, (SOY, SOY_LADY)),
        e.RevealedPutOnFan(0, 2, 1, SOY_LADY),
        e.RevealedPutOnFan(0, 1, 1, SOY),
        e.FanOverflowed(0, 1, (CHILI, STINK)),
        e.PhaseBegan("trade"),
    )


def test_an_offer_for_a_revealed_card_can_name_what_came_out_of_a_fan() -> None:
    """The play course, B: it is in the offer of the turn."""
    at = revealing(SOY, RED).when(c.Reveal()).then_among_others(e.FanOverflowed(0, 1, (STINK,)))
    after = at.when(c.Offer(0, want_revealed=(3,)), by=1).then(e.OfferMade(1, 1, 0, want_revealed=(3,)))
    assert after.state.offers == (OpenOffer(1, 1, 0, want_revealed=(3,)),)
