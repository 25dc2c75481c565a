"""Bonus cards in a catalogue: what makes sense is read, the rest is refused, and published hashes stay."""

from importlib import resources

import pytest

from events.rules.catalogues.catalogue import CatalogueInvalid, parse_catalogue, shipped_catalogue

TEXT = (resources.files("events.rules.systems.the_duel") / "the-duel.toml").read_text("utf-8")
FIRST = 'sequence = ["garden", "red", "red"]'


def test_the_published_hashes_stay() -> None:
    """A catalogue without bonus cards is hashed as before there were any; this one is pinned from now on."""
    assert shipped_catalogue("bohnanza-104").hash() == (
        "118276ad1b5fff2b19aa60a82a75589c0bbc621d674e13a497ece381adfca724"
    )
    assert shipped_catalogue("the-duel").hash() == (
        "8e4fc9f00307d13eb61c2aadd90a670a84b396efbfde8d4342bfed9b7a917f25"
    )


def test_the_beans_are_those_of_the_game_with_104_cards() -> None:
    """Counts and meters; where the meters come from differs."""
    beans = {bean.card: (bean.copies, bean.beanometer) for bean in shipped_catalogue("the-duel").beans}
    assert beans == {
        bean.card: (bean.copies, bean.beanometer) for bean in shipped_catalogue("bohnanza-104").beans
    }
    assert {bean.provenance for bean in shipped_catalogue("the-duel").beans} == {"house"}


def test_the_varieties_rise_with_their_numbers_of_cards() -> None:
    """From the garden bean with 6 cards to the blue one with 20."""
    catalogue = shipped_catalogue("the-duel")
    copies = {bean.card: bean.copies for bean in catalogue.beans}
    assert [copies[card] for card in catalogue.rising] == [6, 8, 10, 12, 14, 16, 18, 20]


@pytest.mark.parametrize(
    ("found", "instead", "reason", "line"),
    [
        ('rising = ["garden", ', "rising = [", "names each variety", 11),
        ('rising = ["garden", ', 'rising = ["red", ', "names each variety", 11),
        ("bonus_total = 32", "bonus_total = 31", "do not add up to 31", 12),
        ("bonus_total = 32\n", "", "do not add up to 0", 3),
        ('card = "c10_233"', 'card = "c10_122"', "the key of another card", 82),
        ('card = "c10_122"', 'card = "blue"', "the key of another card", 76),
        ('card = "c10_122"', 'card = "c 1"', "letters, digits", 76),
        (FIRST, "sequence = []", "varieties named in `rising`", 78),
        (FIRST, 'sequence = ["garden", "cocoa"]', "varieties named in `rising`", 78),
        (FIRST, f"sequence = {['garden'] * 7}".replace("'", '"'), "more cards of a variety", 78),
        (FIRST, 'sequence = ["garden", "black_eyed"]', "no field can grow", 78),
        (FIRST, 'sequence = ["red", "garden"]', "no field can grow", 78),
        ("cents = 10\n", "cents = 0\n", "1 to 1000 cents", 77),
        ("cents = 10\n", "cents = 1001\n", "1 to 1000 cents", 77),
        ("cents = 10\n", 'cents = "10"\n', "cents", 77),
        ("cents = 10\n", "cents = 10\ncolour = 1\n", "colour", 78),
    ],
)
def test_bonus_cards_that_make_no_sense_are_refused(found: str, instead: str, reason: str, line: int) -> None:
    """With the name of the file, the line and the reason."""
    assert found in TEXT
    with pytest.raises(CatalogueInvalid, match=f"mine.toml, line {line}: .*{reason}"):
        parse_catalogue(TEXT.replace(found, instead, 1).encode(), "mine.toml")
