"""The finished games that a store tells of, those in its archive too, with what it knows besides."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from events.game.record import RecordBroken
from events.log.disclosure import Form
from events.store.errors import GameNotFound, StoreDamaged
from events.store.partitions import partition_of
from replay.across.left import NotTaken, Reason
from replay.across.source import Beside, OpenedGame
from replay.platform.safe_text import safe
from service.access.game_access import GameAccess
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.verification.finished_games import list_finished_games
from service.verification.stored_record import GameUnreadable, read_stored_record


class StoredGames:
    """A `GameSource` of the games of a store; their names are their ids.

    Each process opens the store for itself. Every method may raise StoreUnavailable, which ends a map: what a store
    that is away holds is not left out, it is not known.
    """

    def __init__(self, settings: StoreSettings) -> None:
        """Read the store of these settings."""
        self._settings = settings
        self._opened: Store | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs: it opens the store for itself."""
        return {"_settings": self._settings, "_opened": None}

    @property
    def _store(self) -> Store:
        if self._opened is None:
            self._opened = open_store(self._settings, wait_seconds=2, quietly=True)
        return self._opened

    def names(self) -> Iterator[str]:
        """The ids of all finished games, partition by partition, in the order in which they were begun."""
        return list_finished_games(self._store)

    def beside(self, name: str) -> Beside:
        """Who may see the game, and whether its partition is in quarantine; one that lost its secret is private."""
        store = self._store
        policy = GameAccess(store).of(name).policy
        quarantine = store.quarantine.reasons().get(partition_of(name, store.partitions), "")
        return Beside(policy.visibility, quarantine)

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Open a game (see `GameSource.open`)."""
        store = self._store
        try:
            head = store.head(name)
            if head is None:
                raise NotTaken(Reason.UNREADABLE, "the feed tells of it, and its log is gone")
            header, forms = read_stored_record(store, name, head.version)
            yield OpenedGame(header, _readable(forms))
        except GameUnreadable as error:
            raise NotTaken(Reason.UNREADABLE, safe(str(error))) from error
        except (GameNotFound, StoreDamaged) as error:
            raise RecordBroken(0, str(error)) from error


def _readable(forms: Iterable[Form]) -> Iterator[Form]:
    """The entries as they are read; where the store cannot hand them out, the reason is the game's."""
    try:
        yield from forms
    except GameUnreadable as error:
        raise NotTaken(Reason.UNREADABLE, safe(str(error))) from error
