"""The card catalogue: the shipped deck, and every kind of nonsense that is refused."""

from importlib import resources

import pytest

from events.rules.catalogues.catalogue import (
    SHIPPED,
    CatalogueInvalid,
    installed_catalogue,
    parse_catalogue,
    shipped_catalogue,
)

TEXT = (resources.files("events.rules.catalogues") / "bohnanza-104.toml").read_bytes()


def test_the_shipped_deck_is_that_of_the_booklet() -> None:
    """Bohnanza (104), bean cards: eight varieties, 104 cards."""
    catalogue = shipped_catalogue("bohnanza-104")
    assert {bean.card: bean.copies for bean in catalogue.beans} == {
        "blue": 20, "chili": 18, "stink": 16, "green": 14, "soy": 12, "black_eyed": 10, "red": 8, "garden": 6,
    }  # fmt: skip
    assert len(catalogue.deck()) == catalogue.total == 104
    assert {bean.provenance for bean in catalogue.beans} == {"card"}


@pytest.mark.parametrize(
    ("card", "needed"),
    [("blue", "4 6 8 10"), ("chili", "3 6 8 9"), ("stink", "3 5 7 8"), ("green", "3 5 6 7"), ("soy", "2 4 6 7"),
     ("black_eyed", "2 4 5 6"), ("red", "2 3 4 5"), ("garden", "- 2 3 -")],
)  # fmt: skip
def test_the_beanometers_are_those_of_the_cards(card: str, needed: str) -> None:
    """How many beans 1, 2, 3 and 4 coins need."""
    bean = next(bean for bean in shipped_catalogue("bohnanza-104").beans if bean.card == card)
    assert " ".join(str(bean.beanometer.get(coins, "-")) for coins in "1234") == needed


def test_a_published_catalogue_never_changes() -> None:
    """Games pin it by this hash: a correction is a new file."""
    assert shipped_catalogue("bohnanza-104").hash() == (
        "118276ad1b5fff2b19aa60a82a75589c0bbc621d674e13a497ece381adfca724"
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_a_catalogue_is_found_by_its_content(name: str) -> None:
    """Whatever it is called; an unknown hash is an error."""
    assert installed_catalogue(shipped_catalogue(name).hash()) is shipped_catalogue(name)
    with pytest.raises(CatalogueInvalid, match="no installed catalogue"):
        installed_catalogue("0" * 64)


@pytest.mark.parametrize(
    ("old", "new", "reason", "line"),
    [
        (TEXT, b"beans", "Expected '='", 1),
        (TEXT, b"\xff", "utf-8", 1),
        (TEXT, b"", "missing required field", 1),
        (TEXT, b'name="x"\ntitle="x"\ntotal=0\nsource="x"\nbeans=[]', "no beans", 5),
        (b"total = 104", b"total = 105", "do not add up", 4),
        (b"total = 104", b'total = "104"', "Expected `int`", 4),
        (b"total = 104", b"total = 104\nweight = 1", "unknown field", 5),
        (b"copies = 20", b"copies = 21", "do not add up", 4),
        (b"copies = 20", b"copies = 1000000000000", "at most", 4),
        (b"copies = 6\nbean", b"copies = 0\nbean", "do not add up", 4),
        (b"copies = 20\n", b"copies = true\n", "Expected `int`", 11),
        (b'card = "chili"', b'card = "blue"', "listed twice", 17),
        (b'card = "chili"', b'card = "?"', "letters, digits and underscores", 17),
        (b'card = "chili"', b'card = ""', "letters, digits and underscores", 17),
        (b'card = "chili"', 'card = "chilí"'.encode(), "letters, digits and underscores", 17),
        (b'card = "chili"', b'card = "hot chili"', "letters, digits and underscores", 17),
        (b'card = "chili"', b'card = "___"', "letters, digits and underscores", 17),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{}", "1 to 4 coins", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 0 = 1, 1 = 4 }", "1 to 4 coins", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 5 = 12 }", "1 to 4 coins", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ one = 4 }", "1 to 4 coins", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 1 = 4, 2 = 4 }", "more coins need more beans", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 1 = 6, 2 = 4 }", "more coins need more beans", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 1 = 0, 2 = 4 }", "more coins need more beans", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 1 = 4, 2 = 21 }", "21 beans are needed", 12),
        (b"{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", b"{ 2 = 1, 3 = 4 }", "more coins than it has cards", 12),
        (b'provenance = "card"', b'provenance = "hearsay"', "Invalid enum", 13),
        (b'names = { en = "blue', 'names = { "ünglisch" = "blue'.encode(), "language", 14),
        (b'names = { en = "blue bean"', b"names = { en = 1", "Expected `str`", 14),
    ],
    ids=range(29),
)  # fmt: skip
def test_a_catalogue_that_makes_no_sense_is_refused(old: bytes, new: bytes, reason: str, line: int) -> None:
    """With the name of the file, the line and the reason."""
    assert old in TEXT
    with pytest.raises(CatalogueInvalid, match=f"deck.toml, line {line}: .*{reason}"):
        parse_catalogue(TEXT.replace(old, new, 1), "deck.toml")


def test_a_bean_needs_a_copy() -> None:
    """A variety without cards is none."""
    text = TEXT.replace(b"copies = 6\n", b"copies = 0\n").replace(b"total = 104", b"total = 98")
    with pytest.raises(CatalogueInvalid, match="at least one copy"):
        parse_catalogue(text, "deck.toml")
