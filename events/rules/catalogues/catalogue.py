"""Card catalogues: which beans a deck has, how many of each, and what they pay.

Every figure of the games is data in one TOML file per deck, with its provenance; a file that makes no sense is
refused with its name, the line and the reason. A game pins the content of its catalogue by hash, so an old game stays
verifiable whatever file is installed today.
"""

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from events.chain.canonical import canonical, sha256_hex
from events.domain_events import Card
from events.rules.catalogues.faults import Place, faults_of
from events.rules.catalogues.toml_lines import TomlLines, line_of_error, without_position

_RULES = resources.files("events.rules")
_FILES = {
    path.name.removesuffix(".toml"): path
    for folder in (_RULES / "catalogues", *(_RULES / "systems").iterdir())
    if folder.is_dir()
    for path in folder.iterdir()
    if path.name.endswith(".toml") and path.name != "names.toml"
}
SHIPPED = tuple(sorted(_FILES))
"""The catalogues that come with Fieldbook: a deck of one system alone lies in its room, the others here."""
LARGEST_FILE = 256 * 1024
"""Bytes of a catalogue's file at most: a record carries its catalogue in one line."""


class CatalogueInvalid(Exception):
    """A catalogue makes no sense.

    Attributes:
        findings: what is wrong, each in a line of its own with the name of the file, the line there and the reason.
    """

    def __init__(self, *findings: str) -> None:
        """Say what is wrong."""
        super().__init__("\n".join(findings))
        self.findings = findings


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

    @property
    def kinds_of_provenance(self) -> tuple[str, ...]:
        """Where figures come from: the kinds that occur in this catalogue, each once."""
        found = {bean.provenance for bean in self.beans} | {bonus.provenance for bonus in self.bonus}
        return tuple(kind for kind in ("booklet", "card", "house") if kind in found)

    def hash(self) -> str:
        """SHA-256 over the canonical content: what a game's first event pins."""
        return sha256_hex(canonical(self))

    def deck(self) -> tuple[Card, ...]:
        """All cards in catalogue order: what the dealer starts its shuffle from."""
        return tuple(bean.card for bean in self.beans for _ in range(bean.copies))

    def bonus_deck(self) -> tuple[Card, ...]:
        """All bonus cards in catalogue order."""
        return tuple(each.card for each in self.bonus)


def parse_catalogue(content: bytes, where: str) -> Catalogue:
    """Read a catalogue from TOML; `where` is what its file is called.

    Raises:
        CatalogueInvalid: the text is no TOML, has another shape, or its figures make no sense.
    """
    if len(content) > LARGEST_FILE:
        raise CatalogueInvalid(f"{where}: a catalogue has at most {LARGEST_FILE} bytes, not {len(content)}")
    text, value = _read(content, where)
    try:
        catalogue = msgspec.convert(value, Catalogue)
    except msgspec.ValidationError as error:
        reason, place = _place_in(str(error))
        raise CatalogueInvalid(f"{where}, line {TomlLines(text).of(place)}: {reason}") from error
    faults = tuple(faults_of(catalogue))
    if faults:
        lines = TomlLines(text)
        found = sorted((lines.of(fault.place), fault.reason) for fault in faults)
        raise CatalogueInvalid(*(f"{where}, line {line}: {reason}" for line, reason in found))
    return catalogue


def check_catalogue(catalogue: Catalogue, where: str) -> None:
    """Refuse a catalogue whose figures make no sense.

    Raises:
        CatalogueInvalid: with the bean and the reason.
    """
    found = tuple(f"{where}: {fault.reason}" for fault in faults_of(catalogue))
    if found:
        raise CatalogueInvalid(*found)


def _read(content: bytes, where: str) -> tuple[str, dict[str, Any]]:
    """The text and its value.

    Raises:
        CatalogueInvalid: it is no TOML.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CatalogueInvalid(f"{where}, line {line}: this is no text in utf-8") from error
    try:
        return text, tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        refused = line_of_error(error, text)
        place = where if refused is None else f"{where}, line {refused}"
        raise CatalogueInvalid(f"{place}: {without_position(error)}") from error


def _place_in(message: str) -> tuple[str, Place]:
    """What a refusal of the shape says, and where that is: its own member for one that must not be there."""
    reason, _, path = message.partition(" - at ")
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", path)
    place: Place = tuple(name or int(number) for name, number in steps)
    if unknown := re.search(r"unknown field `(.*)`", reason):
        return reason, (*place, unknown[1])
    members = [step for step in place if isinstance(step, str)]
    return f"`{members[-1]}`: {reason}" if members else reason, place


@cache
def shipped_catalogue(name: str) -> Catalogue:
    """The catalogue of this name that comes with Fieldbook."""
    return parse_catalogue(_FILES[name].read_bytes(), f"{name}.toml")


@cache
def installed_catalogue(content_hash: str) -> Catalogue:
    """The catalogue with this content.

    Raises:
        CatalogueInvalid: none of those installed has it.
    """
    for name in SHIPPED:
        if shipped_catalogue(name).hash() == content_hash:
            return shipped_catalogue(name)
    raise CatalogueInvalid(f"no installed catalogue has the content hash {content_hash}")
