"""The finished games that a store tells of, those in its archive too, opened by each process for itself."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from replay.across.source import Beside, OpenedGame
from service.across.opened_store import OpenedStore
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings


class StoredGames:
    """A `GameSource` of the games of a store; their names are their ids.

    Each process opens the store for itself. Every method may raise StoreUnavailable, which ends a map: what a store
    that is away holds is not left out, it is not known.
    """

    def __init__(self, settings: StoreSettings) -> None:
        """Read the store of these settings."""
        self._settings = settings
        self._opened: OpenedStore | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs: it opens the store for itself."""
        return {"_settings": self._settings, "_opened": None}

    @property
    def _store(self) -> OpenedStore:
        if self._opened is None:
            self._opened = OpenedStore(open_store(self._settings, wait_seconds=2, quietly=True))
        return self._opened

    def names(self) -> Iterator[str]:
        """The ids of all finished games, partition by partition, in the order in which they were begun."""
        return self._store.names()

    def beside(self, name: str) -> Beside:
        """Who may see the game, and what else the store knows of it (`OpenedStore.beside`)."""
        return self._store.beside(name)

    def ruled(self) -> dict[str, str]:
        """What rulings made of games after their ends, of all games of which they made something, by id."""
        return self._store.ruled()

    def open(self, name: str) -> AbstractContextManager[OpenedGame]:
        """Open a game (see `GameSource.open`)."""
        return self._store.open(name)
