"""Games as spectators see them who are some versions behind."""

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Final

from events.store import EventStore
from events.table import Table, WentBack
from service.tables import Sitting, Tables

_STARTED: Final = "game_started"
_BEGINNING: Final = 64
"""Entries among which a game's start is: it is set up, seats are taken, it starts."""
_CAPACITY: Final = 500


@dataclass(frozen=True, slots=True)
class _Behind:
    """A table some versions ago, and the last version at which the game was open."""

    table: Table
    opened: int


class DelayedTables:
    """Tables some versions ago, moved along their logs; safe to use from many threads."""

    def __init__(self, store: EventStore, tables: Tables) -> None:
        """Read this store, whose newest tables these are."""
        self._store = store
        self._tables = tables
        self._known: OrderedDict[str, _Behind] = OrderedDict()
        self._lock = Lock()

    def seen(self, newest: Sitting, delay: int) -> Sitting:
        """A game as whoever is so many versions behind sees it.

        A game that is open or has finished hides nothing and is seen as it is. In between nobody goes back behind
        the last version at which it was open.
        """
        table = newest.table
        if not delay or table.state.status in {"open", "finished"}:
            return newest
        known = self._followed(newest, table.version - delay)
        with self._lock:
            self._known[table.game] = known
            self._known.move_to_end(table.game)
            while len(self._known) > _CAPACITY:
                self._known.popitem(last=False)
        return Sitting(known.table, newest.private)

    def _followed(self, newest: Sitting, wanted: int) -> _Behind:
        game = newest.table.game
        with self._lock:
            known = self._known.get(game)
        if known is not None and known.table.version <= max(wanted, known.opened):
            version = max(wanted, known.opened)
            entries = self._store.read(game, known.table.version - 1, version - known.table.version + 1)
            if entries and entries[0].hash == known.table.hash:
                with suppress(WentBack):
                    return _Behind(known.table.follow(entries[1:]), known.opened)
        beginning = self._store.read(game, 0, _BEGINNING)
        opened = next((each.version - 1 for each in beginning if each.type == _STARTED), 1)
        return _Behind(self._tables.at(newest, max(wanted, opened)), opened)
