"""The decks: how many cards there are of each variety, and what a field of each size pays.

The figures stand here once more, so that a slip in a catalogue does not go unseen.
"""

from collections import Counter

import pytest

from events import commands as c
from events import domain_events as e
from tests.events.rules.games import Giving, all_games
from tests.support.tables import rules_of

FIGURES = {
    "coffee": (24, (4, 7, 10, 12)),
    "wax": (22, (4, 7, 9, 11)),
    "blue": (20, (4, 6, 8, 10)),
    "chili": (18, (3, 6, 8, 9)),
    "stink": (16, (3, 5, 7, 8)),
    "green": (14, (3, 5, 6, 7)),
    "soy": (12, (2, 4, 6, 7)),
    "black_eyed": (10, (2, 4, 5, 6)),
    "red": (8, (2, 3, 4, 5)),
    "garden": (6, (None, 2, 3, None)),
    "cocoa": (4, (None, 2, 3, 4)),
}
"""Cards of each variety, and the beans that one, two, three and four coins need; None where the step is missing."""
CLASSIC = {"blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden"}
"""The varieties of the 104-card deck."""


def printed_pay(variety: str, beans: int) -> int:
    """What so many beans pay by the figures above."""
    _, needed = FIGURES[variety]
    return max((coins for coins, least in enumerate(needed, 1) if least and beans >= least), default=0)


def test_the_deck_of_104_cards() -> None:
    """Bohnanza (104), bean cards: eight varieties, and how many cards of each."""
    rules = rules_of("classic", 3)
    assert Counter(rules.deck) == {variety: FIGURES[variety][0] for variety in CLASSIC}
    assert len(rules.deck) == 104


def test_the_deck_of_154_cards() -> None:
    """Bohnanza (154), title page: eleven varieties, and how many cards of each."""
    deck = Counter(rules_of("extended", 3).catalogue.deck())
    assert deck == {variety: copies for variety, (copies, _) in FIGURES.items()}
    assert deck == Counter(rules_of("bean-duel", 2).catalogue.deck())
    assert deck.total() == 154


@pytest.mark.parametrize("variety", FIGURES)
@all_games
def test_pay_follows_the_beanometer(given: Giving, variety: str) -> None:
    """Bohnanza (104 and 154), bean cards: the coins of every size; above the last step the pay stays there."""
    copies, _ = FIGURES[variety]
    assert given.rules.deck.count(variety) in (0, copies)
    for beans in range(1, given.rules.deck.count(variety) + 1):
        field, coins = (variety,) * beans, printed_pay(variety, beans)
        after = given(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))
        assert after.state.seats[0].coins == (variety,) * coins
        assert after.state.discard_pile == (variety,) * (beans - coins)


@pytest.mark.parametrize("variety", FIGURES)
@all_games
def test_more_beans_never_pay_less_and_never_more_than_four_coins(given: Giving, variety: str) -> None:
    """Bohnanza (104), bean cards: four coins are the most; aim of the game: more beans of a sort pay more."""
    if variety in given.rules.pay:
        pay = given.rules.pay[variety][: FIGURES[variety][0] + 1]
        assert list(pay) == sorted(pay)
        assert pay[0] < max(pay) <= 4


@pytest.mark.parametrize(("beans", "coins"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 4), (7, 4), (8, 4)])
def test_the_booklets_example_1_of_red_beans(beans: int, coins: int) -> None:
    """Bohnanza (104), example 1: of eight red beans two pay one coin, three two, four three, five and more four."""
    rules = rules_of("classic", 3)
    assert rules.deck.count("red") == 8
    field = ("red",) * beans
    Giving(rules)(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


@pytest.mark.parametrize(("beans", "coins"), [(1, 0), (2, 2), (3, 3), (4, 3), (6, 3)])
def test_garden_beans_pay_two_or_three_coins_only(beans: int, coins: int) -> None:
    """Bohnanza (104), bean cards: the garden bean has two steps, of two coins and of three."""
    field = ("garden",) * beans
    given = Giving(rules_of("classic", 3))
    given(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))
