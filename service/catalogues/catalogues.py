"""The decks that new games can be set up with: those that come with Fieldbook, and the operator's own.

FIELDBOOK_CATALOGUES names a folder of the operator's catalogues. One with the name of a shipped catalogue is played
in its place; any other may be asked for by its name when a game is set up. A game keeps the content of a catalogue
that did not come with Fieldbook among its private fields, written in the step that creates it: so every process
reads every game, whatever is in the folder later, and the log goes on pinning the content by its hash.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from events.chain.canonical import canonical
from events.game.table import CatalogueFor
from events.rules.catalogues.catalogue import SHIPPED, Catalogue, installed_catalogue, shipped_catalogue
from events.rules.definition.playable import unplayable
from events.rules.definition.rule_system import RuleSystem
from events.rules.errors import WrongCatalogue
from events.store.errors import StoreDamaged
from service.catalogues.files import CataloguesRefused, catalogue_files, read_files
from service.platform.configuration import setting

CATALOGUE: Final = "catalogue"
"""Name of the private field that holds a game's catalogue where it did not come with Fieldbook."""
WRONG_USE: Final = 2
_SHIPPED: Final = MappingProxyType({name: shipped_catalogue(name) for name in SHIPPED})


class UnknownCatalogue(Exception):
    """No catalogue has the name that was asked for; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Catalogues:
    """All catalogues that new games may use, by name; without more those that come with Fieldbook."""

    by_name: Mapping[str, Catalogue] = field(default_factory=lambda: _SHIPPED)
    _playable: dict[str, tuple[Catalogue, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Catalogues":
        """The shipped catalogues, with those of the configured folder in their places and beside them.

        Raises:
            CataloguesRefused: the folder or a file in it cannot be used.
        """
        folder = setting("FIELDBOOK_CATALOGUES", environment)
        own = read_files(catalogue_files(Path(folder))) if folder else ()
        return cls(MappingProxyType({**_SHIPPED, **{each.name: each for each in own}}))

    def chosen(self, system: RuleSystem, name: str | None) -> Catalogue:
        """The catalogue of this name for a game of this system; without a name the one that it is played with.

        Raises:
            UnknownCatalogue: there is none of this name.
            WrongCatalogue: the system cannot be played with it.
        """
        if name is None:
            return self.by_name[system.catalogue]
        catalogue = self.by_name.get(name)
        if catalogue is None:
            known = ", ".join(each.name for each in self.playable(system))
            raise UnknownCatalogue(f"There is no catalogue {name!r}; for {system.key} there are: {known}.")
        if catalogue not in self.playable(system):
            raise WrongCatalogue(f"{name}: {next(unplayable(system, catalogue)).reason}.")
        return catalogue

    def playable(self, system: RuleSystem) -> tuple[Catalogue, ...]:
        """The catalogues that this system can be played with, the one that it is played with first."""
        if system.key not in self._playable:
            usual = self.by_name[system.catalogue]
            others = (each for each in self.by_name.values() if each is not usual)
            self._playable[system.key] = tuple(
                each for each in (usual, *others) if next(unplayable(system, each), None) is None
            )
        return self._playable[system.key]


def catalogues_at_start() -> Catalogues:
    """The configured catalogues; ends this process with status 2 where one of them is refused."""
    try:
        return Catalogues.from_environment()
    except CataloguesRefused as refused:
        sys.stderr.write(f"Not started. FIELDBOOK_CATALOGUES is refused:\n{refused}\n")
        sys.exit(WRONG_USE)


def kept_with_game(catalogue: Catalogue) -> dict[str, str]:
    """The private fields by which a game keeps its catalogue."""
    if catalogue.hash() in {each.hash() for each in _SHIPPED.values()}:
        return {}
    return {CATALOGUE: canonical(catalogue).decode()}


def catalogue_kept(private: Mapping[str, str]) -> CatalogueFor:
    """What finds the catalogue of the game with these private fields by its content hash.

    What it finds raises CatalogueInvalid where the game neither keeps its catalogue nor uses a shipped one, and
    StoreDamaged where what it keeps is not what its log pins.
    """
    kept = private.get(CATALOGUE)
    return installed_catalogue if kept is None else lambda pinned: _parse_kept(kept, pinned)


@lru_cache(maxsize=64)
def _parse_kept(content: str, pinned: str) -> Catalogue:
    try:
        catalogue = msgspec.json.decode(content, type=Catalogue)
    except msgspec.DecodeError as error:
        raise StoreDamaged(f"The catalogue kept with the game cannot be read: {error}") from error
    if catalogue.hash() != pinned:
        raise StoreDamaged(f"The catalogue kept with the game is not the one with the hash {pinned}.")
    return catalogue
