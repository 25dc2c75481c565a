"""The games of this process: folded tables, cached and moved along the log.

A cached table is only ever a shortcut: the store's exact comparison of the expected version decides, and a table
whose chain hash is not in the log any more is dropped and folded anew.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from events.recorded import RecordedEvent
from events.rules.move import Earlier
from events.rules.state import GameState
from events.store import EventStore
from events.store_errors import GameNotFound
from events.table import Table, WentBack, open_table, open_with_course
from service.catalogues import catalogue_kept
from service.snapshots import Snapshots

SECRET = "secret"  # noqa: S105 - the name of a field
"""Name of the private field that holds a game's secret until it is revealed."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table with what belongs to it outside the log."""

    table: Table
    private: dict[str, str]


class Tables:
    """Loads games from the store; safe to use from many threads."""

    def __init__(self, store: EventStore, capacity: int = 2000) -> None:
        """Cache at most `capacity` games of this store."""
        self._store = store
        self._capacity = capacity
        self._cached: OrderedDict[str, Sitting] = OrderedDict()
        self._snapshots = Snapshots(store)
        self._lock = Lock()

    def recent(self, game: str) -> Sitting:
        """The game as this process knows it, perhaps some versions old once every seat is taken.

        Raises:
            GameNotFound: the game does not exist.
        """
        with self._lock:
            sitting = self._cached.get(game)
        if sitting is not None and sitting.table.state.status == "open":
            # A seat may have been taken in another process since, and its token is not known here yet.
            return self.newest(game)
        return sitting if sitting is not None else self._load(game)

    def newest(self, game: str) -> Sitting:
        """The game as it stands in the store right now.

        Raises:
            GameNotFound: the game does not exist.
        """
        with self._lock:
            sitting = self._cached.get(game)
        if sitting is None:
            return self._load(game)
        head = self._store.head(game)
        if head is None:
            self.forget(game)
            raise GameNotFound(game)
        table = sitting.table
        if head.version == table.version and head.hash == table.hash:
            return sitting
        if head.version <= table.version:
            return self._load(game)
        entries = self._store.read(game, table.version - 1)
        if entries[0].hash != table.hash:
            return self._load(game)
        try:
            moved = table.follow(entries[1:])
        except WentBack:
            return self._load(game)
        private = self._store.private(game) if table.state.status == "open" else sitting.private
        return self.keep(Sitting(moved, private))

    def moved(self, sitting: Sitting, missed: Sequence[RecordedEvent]) -> Sitting | None:
        """The game after the entries that follow this sitting's, or None where that takes a look at the store.

        It does where nothing is known to follow, while seats are being taken (their tokens are in no entry), and
        where the game went back.
        """
        table = sitting.table
        if not missed or table.state.status == "open":
            return None
        try:
            return self.keep(Sitting(table.follow(missed), sitting.private))
        except WentBack:
            return None

    def brought_up(self, sitting: Sitting, entries: Sequence[RecordedEvent]) -> Sitting:
        """The game as it stands by these entries, which begin with the sitting's last one if the log still has it.

        Raises:
            GameNotFound: the game does not exist.
        """
        table = sitting.table
        if not entries or (entries[0].version, entries[0].hash) != (table.version, table.hash):
            return self.newest(table.game)
        if len(entries) == 1 and table.state.status != "open":
            return sitting
        return self.moved(sitting, entries[1:]) or self.newest(table.game)

    def at(self, sitting: Sitting, version: int) -> Table:
        """The table as it was at an earlier version.

        Raises:
            GameNotFound: the game does not exist.
        """
        return self._snapshots.at(sitting.table, version)

    def earlier(self, sitting: Sitting) -> Earlier:
        """What finds the tables that a game can go back to; the log is read only when one is asked for."""
        found: list[Earlier] = []

        def find(version: int) -> GameState | None:
            if not found:
                table = sitting.table
                entries = self._store.read(table.game, 0, table.version)
                found.append(open_with_course(entries, table.secret, catalogue_kept(sitting.private))[1])
            return found[0](version)

        return find

    def keep(self, sitting: Sitting) -> Sitting:
        """Cache a newer state of a game, such as the one after an append of this process."""
        game = sitting.table.game
        with self._lock:
            known = self._cached.get(game)
            if known is None or known.table.version <= sitting.table.version:
                self._cached[game] = sitting
            self._cached.move_to_end(game)
            while len(self._cached) > self._capacity:
                self._cached.popitem(last=False)
        return sitting

    def forget(self, game: str) -> None:
        """Drop a game from the cache."""
        self._snapshots.forget(game)
        with self._lock:
            self._cached.pop(game, None)

    def _load(self, game: str) -> Sitting:
        self.forget(game)
        private = self._store.private(game)
        table = open_table(self._store.read(game), private[SECRET], catalogue_kept(private))
        return self.keep(Sitting(table, private))
