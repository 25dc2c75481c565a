"""The deck and the numbers of `ladybohn-expansion`."""

import pytest

from events.rules import errors
from events.rules.catalogues.catalogue import CatalogueInvalid, parse_catalogue, shipped_catalogue
from events.rules.systems.registry import system_named
from tests.events.rules.ladybohn_expansion.tables import SYSTEM, rules_of_ladybohn_expansion

DECK = shipped_catalogue(SYSTEM)
DECK_FAMILIES = {bean.family for bean in DECK.beans}
CLASSIC = shipped_catalogue("bohnanza-104")


def test_the_males_are_the_104_beans_of_the_basic_game() -> None:
    """Game material: played with the basic game's cards, counts and beanometers."""
    males = {bean.family: (bean.copies, bean.beanometer) for bean in DECK.beans if bean.sex == "male"}
    assert males == {bean.card: (bean.copies, bean.beanometer) for bean in CLASSIC.beans}


def test_there_are_32_new_cards() -> None:
    """Game material: 9 make-up beans and 23 other females, none of them a garden bean."""
    ladies = {bean.family: bean.copies for bean in DECK.beans if bean.sex == "female"}
    assert ladies == {
        "blue": 6, "chili": 5, "stink": 4, "green": 3, "soy": 2, "black_eyed": 2, "red": 1, "make_up": 9,
    }  # fmt: skip
    assert len(DECK.deck()) == DECK.total == 136
    assert {bean.provenance for bean in DECK.beans if bean.sex == "female"} == {"house", "booklet"}


@pytest.mark.parametrize("bean", [bean for bean in DECK.beans if bean.sex == "female" and bean.beanometer])
def test_a_female_needs_one_bean_less_for_every_step(bean: object) -> None:
    """House: each step is one bean cheaper than the male's."""
    female = next(each for each in DECK.beans if each is bean)
    male = next(each for each in DECK.beans if each.family == female.family and each.sex == "male")
    assert female.beanometer == {coins: needed - 1 for coins, needed in male.beanometer.items()}


def test_make_up_beans_have_no_beanometer() -> None:
    """The catalogue says that they are sold by rules of their own; both at once makes no sense."""
    (make_up,) = (bean for bean in DECK.beans if bean.sold == "make_up")
    assert (make_up.card, make_up.copies, make_up.beanometer) == ("make_up_female", 9, {})
    text = b"""
        name = "x"\ntitle = "x"\ntotal = 5\nsource = "x"
        beans = [{ card = "a", copies = 5, names = {}, provenance = "house", sold = "make_up", beanometer.1 = 3 }]
    """
    with pytest.raises(CatalogueInvalid, match="make-up beans have no beanometer"):
        parse_catalogue(text, "deck.toml")


def test_the_published_deck_never_changes() -> None:
    """Games pin it by this hash: a correction is a new file."""
    assert DECK.hash() == ("6db29ee652830523ff715eeda41a3b6689dfe3a647d38af7c4a1510bd5688169")


@pytest.mark.parametrize("players", [1, 2, 6])
def test_it_is_played_by_three_to_five(players: int) -> None:
    """House: the booklet's rules for two and for one are not in our source."""
    with pytest.raises(errors.WrongPlayers):
        rules_of_ladybohn_expansion(players)


def test_its_numbers() -> None:
    """Preparing the game, the play course: five cards, fans of six and four, two revealed, everybody draws one."""
    setup = rules_of_ladybohn_expansion().setup
    assert (setup.hand_sizes, setup.fans, setup.reveal, setup.draw, setup.all_draw) == (
        (5,),
        (6, 4),
        2,
        1,
        True,
    )
    assert (setup.fields, setup.third_field_price, setup.exhaustions) == (2, 3, 3)
    assert {*system_named(SYSTEM).options} == {"bean_protection", "start_seat"}
    with pytest.raises(errors.UnknownOption):
        rules_of_ladybohn_expansion(3, duplicate_fields=True)


def test_of_every_variety_with_both_there_are_more_males() -> None:
    """Game material: females pay more, males are more; of make-up beans there are females only."""
    copies = {(bean.family, bean.sex): bean.copies for bean in DECK.beans}
    for family in DECK_FAMILIES - {"make_up", "garden"}:
        assert copies[family, "male"] > copies[family, "female"] > 0
    assert ("make_up", "male") not in copies
    assert ("garden", "female") not in copies


def test_the_commoner_a_variety_the_more_ladies_it_has() -> None:
    """The ratio field, tip: frequent varieties have more females (house: soy and black-eyed have two each)."""
    copies = {(bean.family, bean.sex): bean.copies for bean in DECK.beans}
    by_males = sorted(DECK_FAMILIES - {"make_up"}, key=lambda family: copies[family, "male"])
    ladies = [copies.get((family, "female"), 0) for family in by_males]
    assert ladies == sorted(ladies)
    assert ladies[0] == 0
