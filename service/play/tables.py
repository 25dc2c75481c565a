"""The games of this process: folded tables, cached and moved along the log.

A cached table is only ever a shortcut: the store's exact comparison of the expected version decides, and a table
whose chain hash is not in the log any more is dropped and folded anew. What a game was at an earlier version
comes from `service.play.snapshots`, also for those who are some versions behind.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Lock
from typing import Final

from events.game.log_facts import TALK
from events.game.rewindable_history import REACH, is_stop
from events.game.table import Table, open_table
from events.log.recorded import RecordedEvent
from events.rules.move import Earlier
from events.rules.table.state import GameState
from events.store.errors import GameNotFound
from events.store.event_store import EventStore
from service.access.game_access import SECRET
from service.access.spectator_delay import visible_version
from service.catalogues.catalogues import catalogue_kept
from service.play.snapshots import AT_ONCE, Snapshots

CAPACITY: Final = 2000
FINISHED: Final = 20
"""So many of these games may be over: hardly anybody asks for them again, and each takes some 100 KB."""
LOOKED_BACK: Final = 512
"""Entries that are looked through for what a game can go back to."""


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A table with what belongs to it outside the log."""

    table: Table
    private: dict[str, str]

    def visible_version(self, delay: int) -> int:
        """The last version that is shown to somebody who is so many versions behind."""
        return visible_version(self.table.version, self.table.state.status, self.table.log.opened, delay)


class Tables:
    """Loads games from the store; safe to use from many threads."""

    def __init__(self, store: EventStore, capacity: int = CAPACITY, finished: int = FINISHED) -> None:
        """Cache at most `capacity` games of this store, `finished` of them that are over."""
        self._store = store
        self._capacity, self._most_finished = capacity, finished
        self._cached: OrderedDict[str, LoadedGame] = OrderedDict()
        self._finished: OrderedDict[str, None] = OrderedDict()
        """Those of them that are over."""
        self._snapshots = Snapshots(store)
        self._lock = Lock()

    def known(self, game: str) -> LoadedGame | None:
        """The game as this process knows it, perhaps some versions old; None where the store has to be asked.

        It has while seats are being taken: one may have been in another process, and its token is not known here.
        """
        with self._lock:
            loaded = self._cached.get(game)
        return None if loaded is None or loaded.table.state.status == "open" else loaded

    def recent(self, game: str) -> LoadedGame:
        """The game as this process knows it, or as it stands where it is not known, or not enough of it.

        Raises:
            GameNotFound: the game does not exist.
        """
        return self.known(game) or self.newest(game)

    def follows(self, loaded: LoadedGame, entries: Sequence[RecordedEvent]) -> bool:
        """Whether these entries begin with a game's last known one, so that nothing else is needed to catch up."""
        table = loaded.table
        is_known = bool(entries) and (entries[0].version, entries[0].hash) == (table.version, table.hash)
        return is_known and table.state.status != "open"

    def newest(self, game: str) -> LoadedGame:
        """The game as it stands in the store right now.

        Raises:
            GameNotFound: the game does not exist.
        """
        with self._lock:
            loaded = self._cached.get(game)
        if loaded is None:
            return self._load(game)
        head = self._store.head(game)
        if head is None:
            self.forget(game)
            raise GameNotFound(game)
        table = loaded.table
        if head.version == table.version and head.hash == table.hash:
            return loaded
        if head.version <= table.version or head.version - table.version > AT_ONCE:
            return self._load(game)
        entries = self._store.read(game, table.version - 1)
        if entries[0].hash != table.hash:
            return self._load(game)
        private = self._store.private(game) if table.state.status == "open" else loaded.private
        return self._follow(loaded, entries[1:], private)

    def advance(self, loaded: LoadedGame, missed: Sequence[RecordedEvent]) -> LoadedGame | None:
        """The game after the entries that follow the loaded game's, or None where that takes a look at the store.

        It does where nothing is known to follow, and while seats are being taken: their tokens are in no entry.
        """
        if not missed or loaded.table.state.status == "open":
            return None
        return self._follow(loaded, missed, loaded.private)

    def catch_up(self, loaded: LoadedGame, entries: Sequence[RecordedEvent]) -> LoadedGame:
        """The game as it stands by these entries, which begin with its last known one if the log still has that.

        Raises:
            GameNotFound: the game does not exist.
        """
        if not self.follows(loaded, entries):
            return self.newest(loaded.table.game)
        return self.advance(loaded, entries[1:]) or loaded

    def at(self, loaded: LoadedGame, version: int) -> Table:
        """The table as it was at an earlier version.

        Raises:
            GameNotFound: the game does not exist.
        """
        table = loaded.table
        if version == table.version:
            return table
        found = self._snapshots.at(table.game, version)
        return replace(table, state=found.state, version=found.version, hash=found.hash, log=found.log)

    def behind(self, loaded: LoadedGame, delay: int) -> LoadedGame:
        """The game as whoever is so many versions behind sees it.

        Raises:
            GameNotFound: the game does not exist.
        """
        version = loaded.visible_version(delay)
        if version == loaded.table.version:
            return loaded
        return replace(loaded, table=self.at(loaded, version))

    def earlier(self, loaded: LoadedGame) -> Earlier:
        """What finds the tables that a game can go back to; the log is read only when one is asked for.

        `events.game.rewindable_history` says which they are. Here they lie so many entries back at most as there
        stops, so that none is found which a verifier would not find.
        """
        table = loaded.table

        def find(version: int) -> GameState | None:
            if not (0 < version <= table.version) or table.version - version > REACH:
                return None
            own, *later = self._store.read(table.game, version - 1, 2 if version < table.version else 1)
            return self._stop(table, own, later[0] if later else None)

        return find

    def last_stops(self, loaded: LoadedGame, most: int) -> list[tuple[int, GameState]]:
        """The last versions that a game can go back to, newest first, with their tables: `most` of them at most.

        Where a long stretch was discarded they are looked for in the `LOOKED_BACK` versions before what is known.
        """
        table = loaded.table
        versions = [each for each in table.log.whole if each < table.version]
        known = self._stops(table, versions, most)
        if len(known) == most or table.log.all_since <= 1:
            return known
        end = min(versions, default=table.version) - 1
        begin = max(end - LOOKED_BACK, 0)
        entries = self._store.read(table.game, begin, end + 1 - begin)
        older = [own.version for own, later in pairwise(entries) if later.command and own.type != TALK]
        return known + self._stops(table, older, most - len(known))

    def _stops(self, table: Table, versions: Sequence[int], most: int) -> list[tuple[int, GameState]]:
        """The last of these versions, which are in order, that a game can go back to: newest first."""
        counting = [each for each in versions if table.log.counts(each) and table.version - each <= REACH]
        found: list[tuple[int, GameState]] = []
        while counting and len(found) < most:
            some, counting = counting[-most:], counting[:-most]
            # From the oldest on, so that each table is folded from the one before.
            states = [(each, self._snapshots.at(table.game, each).state) for each in some]
            found += [each for each in reversed(states) if is_stop(each[1])]
        return found[:most]

    def _stop(self, table: Table, own: RecordedEvent, later: RecordedEvent | None) -> GameState | None:
        """The table behind an entry, where the game can go back to it; `later` is the entry that follows."""
        is_whole = later is None or later.command
        if not is_whole or own.type == TALK or not table.log.counts(own.version):
            return None
        state = (
            table.state if own.version == table.version else self._snapshots.at(table.game, own.version).state
        )
        return state if is_stop(state) else None

    def keep(self, loaded: LoadedGame) -> LoadedGame:
        """Cache a newer state of a game, such as the one after an append of this process."""
        game = loaded.table.state.game
        with self._lock:
            known = self._cached.get(game)
            if known is None or known.table.version <= loaded.table.version:
                self._cached[game] = loaded
            self._cached.move_to_end(game)
            if self._cached[game].table.state.status == "finished":
                self._finished[game] = None
                self._finished.move_to_end(game)
            if len(self._finished) > self._most_finished:
                oldest = next(iter(self._finished))
                self._drop(oldest)
                self._snapshots.forget(oldest)
            if len(self._cached) > self._capacity:
                self._drop(next(iter(self._cached)))
        return loaded

    def forget(self, game: str) -> None:
        """Drop a game from the cache."""
        self._snapshots.forget(game)
        with self._lock:
            self._drop(game)

    def _drop(self, game: str) -> None:
        self._cached.pop(game, None)
        self._finished.pop(game, None)

    def _follow(
        self, loaded: LoadedGame, entries: Sequence[RecordedEvent], private: dict[str, str]
    ) -> LoadedGame:
        """Move along entries that are known to follow, also where the game went back with one of them."""
        table = loaded.table
        moved = table.follow(entries, lambda version: self._snapshots.at(table.game, version).state)
        return self.keep(LoadedGame(moved, private))

    def _load(self, game: str) -> LoadedGame:
        self.forget(game)
        private, entries = self._store.private(game), self._store.read(game, 0, AT_ONCE)
        is_long = len(entries) == AT_ONCE
        table = open_table(entries[:1] if is_long else entries, private[SECRET], catalogue_kept(private))
        loaded = LoadedGame(table, private)
        if is_long:
            head = self._store.head(game)
            if head is None:
                raise GameNotFound(game)
            loaded = LoadedGame(self.at(loaded, head.version), private)
        return self.keep(loaded)
