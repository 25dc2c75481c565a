"""What fans give back at the reveal. Sections are those of the Lady Bohn booklet."""

from events import commands as c
from events import domain_events as e
from events.rules.table.state import OpenOffer
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    CHILI,
    EYE,
    FOUR,
    GREEN,
    RED,
    SIX,
    SOY,
    SOY_LADY,
    STINK,
    added,
    cards_of,
    revealing,
)


def test_the_booklets_example_of_a_soy_and_a_blue_bean() -> None:
    """The play course, B, the worked example: both join a fan, whose last cards come into the offer.

    Fans: blue, red, green, black-eyed, blue, blue and soy, chili, chili, stink. Revealed: a soy and a blue bean.
    The blue bean that comes out matches the fan it came from, but what came out is not placed again.
    """
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


def test_what_came_out_of_one_fan_does_not_go_on_the_other() -> None:
    """The play course, B: not repeated, also where the other fan shows that variety."""
    fans = ((*SIX[:5], SOY), FOUR)
    after = revealing(BLUE, RED, fans=fans).when(c.Reveal()).then_among_others(e.FanOverflowed(0, 0, (SOY,)))
    assert cards_of(after.state.revealed) == (RED, SOY)
    assert added(after).fans == ((BLUE, *SIX[:5]), FOUR)


def test_the_lowest_cards_come_out_those_nearer_the_top_first() -> None:
    """The play course, B: as many as there are too many; the order of their numbers is ours (house)."""
    fans = ((BLUE, RED, GREEN, EYE, SOY, STINK), FOUR)
    after = revealing(BLUE, BLUE_LADY, fans=fans).when(c.Reveal()).then_among_others(
        e.FanOverflowed(0, 0, (SOY, STINK)), e.PhaseBegan("trade")
    )  # fmt: skip
    assert after.state.revealed == ((3, SOY), (4, STINK))
    assert added(after).fans == ((BLUE, BLUE_LADY, BLUE, RED, GREEN, EYE), FOUR)


def test_what_came_out_is_the_active_players_to_give_or_to_plant() -> None:
    """The play course, B: it joins the offer like a card just revealed."""
    at = revealing(SOY, RED).when(c.Reveal()).then_among_others(e.FanOverflowed(0, 1, (STINK,)))
    at.when(c.EndTrading()).then(e.TradingEnded(0, (RED, STINK)), e.PhaseBegan("plant_aside"))
    at.when(c.Offer(1, revealed=(3,))).then(e.OfferMade(1, 0, 1, revealed=(3,)))
