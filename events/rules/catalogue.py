"""Card catalogues: which beans a deck has, how many of each, and what they pay.

Every figure of the games is data in one TOML file per deck, with its provenance; a file that makes no sense is
refused with its name and the reason. A game pins the content of its catalogue by hash, so an old game stays
verifiable whatever file is installed today.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Literal

import msgspec

from events.canonical import canonical, sha256_hex
from events.domain_events import Card

SHIPPED = ("bohnanza-104", "bohnanza-154", "ladybohn", "ladybohn-expansion", "the-duel")
"""The catalogues that come with Fieldbook."""
LARGEST_DECK = 1000
"""Cards in a deck at most: records carry their catalogue, and a record is hostile input."""

MOST_CENTS = 1000


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
    """Coins to the number of beans they need; the steps that exist only. Empty for babies and make-up beans only."""
    family: str = ""
    """The variety of a card that has a sex; every other card is its own variety."""
    sex: Literal["", "male", "female", "baby"] = ""
    sold: Literal["beanometer", "make_up"] = "beanometer"
    """What a field of these beans pays by; make-up beans have rules of their own and no beanometer."""

    @property
    def variety(self) -> str:
        """What a field must hold for this card to be planted on it."""
        return self.family or self.card


class BonusCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card that is worth a coin and some cents to whoever finds its varieties on top of a field."""

    card: Card
    sequence: tuple[Card, ...]
    """The varieties from the lowest card that counts to the top card of the field."""
    cents: int
    provenance: Literal["booklet", "card", "house"]
    """Where the sequence comes from."""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A deck of cards. What was added after the first one has a default, so that no published hash changes."""

    name: str
    title: str
    total: int
    source: str
    beans: tuple[Bean, ...]
    rising: tuple[Card, ...] = ()
    """The varieties from the lowest to the highest, where the rules ask for the next higher one."""
    bonus_total: int = 0
    bonus: tuple[BonusCard, ...] = ()
    """A second deck."""

    def hash(self) -> str:
        """SHA-256 over the canonical content: what a game's first event pins."""
        return sha256_hex(canonical(self))

    def deck(self) -> tuple[Card, ...]:
        """All cards in catalogue order: what the dealer starts its shuffle from."""
        return tuple(bean.card for bean in self.beans for _ in range(bean.copies))

    def bonus_deck(self) -> tuple[Card, ...]:
        """All bonus cards in catalogue order."""
        return tuple(each.card for each in self.bonus)


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
    _check_bonus_cards(catalogue, grown, where)


def _check_bean(bean: Bean, copies: int, where: str) -> None:
    if not bean.card.replace("_", "").isalnum() or not bean.card.isascii():
        raise CatalogueInvalid(f"{where}: a card's key consists of letters, digits and underscores")
    if not all(language.isascii() and language.isalpha() for language in bean.names):
        raise CatalogueInvalid(f"{where}: a name's language is a code of ASCII letters")
    if bean.copies < 1:
        raise CatalogueInvalid(f"{where}: there must be at least one copy")
    if bool(bean.family) != bool(bean.sex) or bean.family == bean.card:
        raise CatalogueInvalid(f"{where}: a card with a sex names its family, and only such a card does")
    if bean.sold == "make_up" and bean.beanometer:
        raise CatalogueInvalid(f"{where}: make-up beans have no beanometer")
    if bean.sold == "beanometer" and (bean.sex != "baby" or bean.beanometer):
        _check_beanometer(bean, copies, where)


def _check_beanometer(bean: Bean, copies: int, where: str) -> None:
    if not bean.beanometer or any(coins not in {"1", "2", "3", "4"} for coins in bean.beanometer):
        raise CatalogueInvalid(f"{where}: a beanometer has steps for 1 to 4 coins")
    needed = [bean.beanometer[coins] for coins in sorted(bean.beanometer)]
    if needed != sorted(set(needed)) or needed[0] < 1:
        raise CatalogueInvalid(f"{where}: more coins need more beans: {needed}")
    if needed[-1] > copies:
        raise CatalogueInvalid(f"{where}: {needed[-1]} beans are needed, there are {copies}")
    if bean.sex != "female" and any(int(coins) > beans for coins, beans in bean.beanometer.items()):
        raise CatalogueInvalid(f"{where}: a field cannot pay more coins than it has cards")


def _check_bonus_cards(catalogue: Catalogue, copies: Mapping[str, int], where: str) -> None:
    """Refuse an order of the varieties or bonus cards that make no sense.

    Raises:
        CatalogueInvalid: with the card and the reason.
    """
    rising = catalogue.rising
    if rising and sorted(rising) != sorted(copies):
        raise CatalogueInvalid(f"{where}: `rising` names each variety of the deck once")
    if len(catalogue.bonus) != catalogue.bonus_total or catalogue.bonus_total > LARGEST_DECK:
        raise CatalogueInvalid(
            f"{where}: the bonus cards do not add up to {catalogue.bonus_total}, or exceed {LARGEST_DECK}"
        )
    keys = [bean.card for bean in catalogue.beans] + [each.card for each in catalogue.bonus]
    if len(set(keys)) != len(keys):
        raise CatalogueInvalid(f"{where}: a bonus card has the key of another card")
    for each in catalogue.bonus:
        _check_bonus_card(each, rising, copies, f"{where}: {each.card}")


def _check_bonus_card(
    bonus: BonusCard, rising: tuple[Card, ...], copies: Mapping[str, int], where: str
) -> None:
    if not bonus.card.replace("_", "").isalnum() or not bonus.card.isascii():
        raise CatalogueInvalid(f"{where}: a card's key consists of letters, digits and underscores")
    if not 1 <= bonus.cents <= MOST_CENTS:
        raise CatalogueInvalid(f"{where}: a bonus card is worth 1 to {MOST_CENTS} cents besides its coin")
    if not bonus.sequence or not set(bonus.sequence) <= set(rising):
        raise CatalogueInvalid(f"{where}: a sequence consists of varieties named in `rising`")
    if any(count > copies[variety] for variety, count in Counter(bonus.sequence).items()):
        raise CatalogueInvalid(f"{where}: the sequence needs more cards of a variety than there are")
    places = [rising.index(variety) for variety in bonus.sequence]
    if any(higher - lower not in (0, 1) for lower, higher in pairwise(places)):
        raise CatalogueInvalid(
            f"{where}: no field can grow this sequence: each step is the same or next higher"
        )


@cache
def shipped_catalogue(name: str) -> Catalogue:
    """The catalogue of this name that comes with Fieldbook."""
    path = resources.files(__package__) / "catalogues" / f"{name}.toml"
    return parse_catalogue(path.read_bytes(), f"{name}.toml")
