"""Card catalogues: which beans a deck has, how many of each, and what they pay.

Every figure of the games is data in one TOML file per deck, with its provenance; a file that makes no sense is
refused with its name and the reason. A game pins the content of its catalogue by hash, so an old game stays
verifiable whatever file is installed today.
"""

import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from events.canonical import canonical, sha256_hex
from events.domain_events import Card

SHIPPED = ("bohnanza-104", "bohnanza-154", "ladybohn")
"""The catalogues that come with Fieldbook."""
LARGEST_DECK = 1000
"""Cards in a deck at most: records carry their catalogue, and a record is hostile input."""


class CatalogueInvalid(Exception):
    """A catalogue makes no sense; the message names the catalogue and the reason."""


class Bean(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of bean card."""

    card: Card
    copies: int
    provenance: Literal["booklet", "card", "house"]
    """Where the beanometer's figures come from."""
    names: dict[str, str]
    beanometer: dict[str, int] = {}
    """Coins to the number of beans they need; the steps that exist only. Empty only for babies."""
    family: str = ""
    """The variety of a card that has a sex; every other card is its own variety."""
    sex: Literal["", "male", "female", "baby"] = ""

    @property
    def variety(self) -> str:
        """What a field must hold for this card to be planted on it."""
        return self.family or self.card


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A deck of cards."""

    name: str
    title: str
    total: int
    source: str
    beans: tuple[Bean, ...]

    def hash(self) -> str:
        """SHA-256 over the canonical content: what a game's first event pins."""
        return sha256_hex(canonical(self))

    def deck(self) -> tuple[Card, ...]:
        """All cards in catalogue order: what the dealer starts its shuffle from."""
        return tuple(bean.card for bean in self.beans for _ in range(bean.copies))


def parse_catalogue(text: bytes, where: str) -> Catalogue:
    """Read a catalogue from TOML.

    Raises:
        CatalogueInvalid: the text is no TOML, has another shape, or its figures make no sense.
    """
    try:
        catalogue = msgspec.convert(tomllib.loads(text.decode()), Catalogue)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CatalogueInvalid(f"{where}: {error}") from error
    check_catalogue(catalogue, where)
    return catalogue


def check_catalogue(catalogue: Catalogue, where: str) -> None:
    """Refuse a catalogue whose figures make no sense.

    Raises:
        CatalogueInvalid: with the bean and the reason.
    """
    if not catalogue.beans:
        raise CatalogueInvalid(f"{where}: there are no beans")
    if catalogue.total > LARGEST_DECK or max(bean.copies for bean in catalogue.beans) > LARGEST_DECK:
        raise CatalogueInvalid(f"{where}: a deck has at most {LARGEST_DECK} cards")
    cards = [bean.card for bean in catalogue.beans]
    if len(set(cards)) != len(cards):
        raise CatalogueInvalid(f"{where}: a card is listed twice: {', '.join(sorted(cards))}")
    if sum(bean.copies for bean in catalogue.beans) != catalogue.total:
        raise CatalogueInvalid(f"{where}: the copies do not add up to the total of {catalogue.total}")
    grown = Counter[str]()
    for bean in catalogue.beans:
        grown[bean.variety] += bean.copies
    for bean in catalogue.beans:
        _check_bean(bean, grown[bean.variety], f"{where}: {bean.card}")


def _check_bean(bean: Bean, copies: int, where: str) -> None:
    if not bean.card.replace("_", "").isalnum() or not bean.card.isascii():
        raise CatalogueInvalid(f"{where}: a card's key consists of letters, digits and underscores")
    if not all(language.isascii() and language.isalpha() for language in bean.names):
        raise CatalogueInvalid(f"{where}: a name's language is a code of ASCII letters")
    if bean.copies < 1:
        raise CatalogueInvalid(f"{where}: there must be at least one copy")
    if bool(bean.family) != bool(bean.sex) or bean.family == bean.card:
        raise CatalogueInvalid(f"{where}: a card with a sex names its family, and only such a card does")
    if bean.sex == "baby" and not bean.beanometer:
        return
    if not bean.beanometer or any(coins not in {"1", "2", "3", "4"} for coins in bean.beanometer):
        raise CatalogueInvalid(f"{where}: a beanometer has steps for 1 to 4 coins")
    needed = [bean.beanometer[coins] for coins in sorted(bean.beanometer)]
    if needed != sorted(set(needed)) or needed[0] < 1:
        raise CatalogueInvalid(f"{where}: more coins need more beans: {needed}")
    if needed[-1] > copies:
        raise CatalogueInvalid(f"{where}: {needed[-1]} beans are needed, there are {copies}")
    if bean.sex != "female" and any(int(coins) > beans for coins, beans in bean.beanometer.items()):
        raise CatalogueInvalid(f"{where}: a field cannot pay more coins than it has cards")


@cache
def shipped_catalogue(name: str) -> Catalogue:
    """The catalogue of this name that comes with Fieldbook."""
    path = resources.files(__package__) / "catalogues" / f"{name}.toml"
    return parse_catalogue(path.read_bytes(), f"{name}.toml")
