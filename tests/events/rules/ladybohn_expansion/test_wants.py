"""Offers that ask for a variety, for a card with its sex, or for both."""

from itertools import chain, combinations

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.forms import AcceptForm
from events.rules.legal import legal_commands
from tests.events.rules.ladybohn_expansion.tables import BLUE, BLUE_LADY, MAKE_UP, RED, SOY, SOY_LADY, table
from tests.support.given import Given
from tests.support.tables import seat_with

HAND = (BLUE, BLUE_LADY, BLUE, BLUE_LADY, SOY_LADY)
"""Seat 1 holds them under the numbers 1 to 5."""


def asked(want: dict[str, int], hand: tuple[str, ...] = HAND) -> Given:
    """Seat 0 has asked seat 1 for this and gives a red bean."""
    at = table(phase="trade", hand=(RED,), others={1: seat_with(hand)})
    return at.when(c.Offer(1, hand=(1,), want=want)).then(e.OfferMade(1, 0, 1, (1,), (RED,), want=want))


def test_offered_hand_cards_show_their_sex() -> None:
    """House: a female is another card than a male."""
    at = table(phase="trade", hand=(BLUE, BLUE_LADY))
    at.when(c.Offer(1, hand=(1, 2))).then(e.OfferMade(1, 0, 1, (1, 2), (BLUE, BLUE_LADY)))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_want_by_variety_takes_either_sex(number: int) -> None:
    """House: who asks for a blue bean may get a male or a female."""
    asked({"blue": 1}).when(c.Accept(1, (number,)), by=1).then_among_others(
        e.TradeMade(1, 0, 1, (RED,), (HAND[number - 1],), (1,), (), (number,))
    )


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_want_may_name_a_sex(number: int) -> None:
    """House: who asks for a female blue bean gets no other."""
    at = asked({BLUE_LADY: 1}).when(c.Accept(1, (number,)), by=1)
    if HAND[number - 1] == BLUE_LADY:
        at.then_among_others(e.TradeMade(1, 0, 1, (RED,), (BLUE_LADY,), (1,), (), (number,)))
    else:
        at.then_refused(errors.PaymentMismatch)


@pytest.mark.parametrize(
    ("want", "hand"),
    [
        ({"blue": 1, BLUE_LADY: 1}, HAND),
        ({"blue": 2, BLUE_LADY: 1}, HAND),
        ({"blue": 1, BLUE_LADY: 1, BLUE: 1}, HAND),
        ({BLUE: 1, "blue": 3}, HAND),
        ({BLUE: 2, BLUE_LADY: 2}, HAND),
        ({BLUE: 1, "soy": 1}, HAND),
        ({"blue": 1, BLUE_LADY: 2}, (BLUE, BLUE_LADY)),
        ({"make_up": 1, MAKE_UP: 1}, (MAKE_UP, MAKE_UP, BLUE)),
        ({"blue": 1, BLUE_LADY: 1}, (BLUE_LADY, BLUE_LADY)),
        ({"blue": 1, BLUE_LADY: 1}, (BLUE, BLUE)),
    ],
)
def test_wants_by_card_and_by_variety_are_paid_exactly(want: dict[str, int], hand: tuple[str, ...]) -> None:
    """House: every choice of cards is accepted just if they can be dealt out to the wants with none left."""
    at = asked(want, hand)
    numbers = range(1, len(hand) + 1)
    ways = 0
    for named in chain.from_iterable(combinations(numbers, size) for size in range(len(hand) + 1)):
        paid = at.when(c.Accept(1, named), by=1)
        if _fits([hand[number - 1] for number in named], want):
            ways += 1
            paid.then_among_others()
        else:
            paid.then_refused(errors.PaymentMismatch)
    listed = [
        each for each in legal_commands(at.rules, at.state, 1) if isinstance(each, c.Accept | AcceptForm)
    ]
    assert [type(each) for each in listed] == [] if ways == 0 else [c.Accept if ways == 1 else AcceptForm]


def _fits(cards: list[str], want: dict[str, int]) -> bool:
    """By trying: whether each card can go to one want, each want getting its number."""
    if not cards:
        return not any(want.values())
    names = {cards[0], cards[0].rpartition("_")[0]}
    return any(_fits(cards[1:], want | {name: want[name] - 1}) for name in names if want.get(name, 0) > 0)


def test_the_active_player_pays_from_hand_or_revealed_cards() -> None:
    """House: a want by variety or by card, from wherever the cards lie."""
    at = table(phase="trade", hand=(SOY_LADY,), revealed=(SOY, BLUE), others={1: seat_with((RED,))})
    at = at.when(c.Offer(0, hand=(1,), want={"soy": 1, SOY_LADY: 1}), by=1).then_among_others()
    at.when(c.Accept(1, (1,))).then_refused(errors.PaymentMismatch)
    at.when(c.Accept(1, (1,), (2,))).then_refused(errors.PaymentMismatch)
    at.when(c.Accept(1, (1,), (1,))).then_among_others(
        e.TradeMade(1, 0, 1, (SOY_LADY, SOY), (RED,), (1,), (1,), (1,))
    )


@pytest.mark.parametrize(
    ("want", "error"),
    [
        ({"garden_female": 1}, errors.NoSuchVariety),
        ({"lady": 1}, errors.NoSuchVariety),
        ({BLUE_LADY: 7}, errors.BadAmount),
        ({"blue": 27}, errors.BadAmount),
        ({BLUE: 0}, errors.BadAmount),
    ],
)
def test_wants_name_what_the_game_has(want: dict[str, int], error: type[errors.RuleViolation]) -> None:
    """House: six blue ladies, 26 blue beans; no female garden beans."""
    at = table(phase="trade").when(c.Offer(1, want=want))
    if error is errors.BadAmount:
        at.then_refused(errors.BadAmount)
    else:
        at.then_refused(errors.NoSuchVariety)
    table(phase="trade").when(c.Offer(1, want={BLUE_LADY: 6, "blue": 26})).then_among_others()
