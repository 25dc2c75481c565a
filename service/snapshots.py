"""Tables at earlier versions: folded from the nearest snapshot, which this process keeps on its way through a log.

A snapshot lies behind every 128th entry, and behind every entry with which a game went back. So what is folded from a
snapshot on is short, and never goes back by itself. Snapshots are a shortcut like every cache here: where the entry
behind which one was taken is not in the log any more, all of the game's are dropped.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from threading import Lock
from typing import Final, NamedTuple

from events.codec import decode_event
from events.domain_events import GameRewound
from events.hash_chain import GENESIS
from events.recorded import RecordedEvent
from events.rules.evolve import evolve
from events.rules.state import INITIAL_STATE, GameState
from events.store import EventStore
from events.table import Table
from events.upcasting import UndecodableEvent

APART: Final = 128
"""Entries between two snapshots."""
AT_ONCE: Final = 1_024
"""Entries read together."""
CAPACITY: Final = 16_384
"""Snapshots of all games together; neighbours share most of their parts."""


class _Snapshot(NamedTuple):
    version: int
    hash: str
    state: GameState


_BEGINNING: Final = _Snapshot(0, GENESIS, INITIAL_STATE)


class _Forked(Exception):
    """The log is not the one that the snapshots were taken of."""


class Snapshots:
    """The snapshots of this process; safe to use from many threads."""

    def __init__(self, store: EventStore, capacity: int = CAPACITY) -> None:
        """Keep at most about `capacity` snapshots of this store's games, those used last."""
        self._store = store
        self._capacity = capacity
        self._kept: OrderedDict[str, tuple[_Snapshot, ...]] = OrderedDict()
        self._lock = Lock()

    def at(self, table: Table, version: int) -> Table:
        """The table of this game as it was at an earlier version.

        Raises:
            GameNotFound: the game does not exist.
            UndecodableEvent: an entry cannot be read, or there is none of this version.
        """
        try:
            found = self._found(table.game, version)
        except _Forked:
            self.forget(table.game)
            found = self._found(table.game, version)
        return replace(table, state=found.state, version=found.version, hash=found.hash)

    def forget(self, game: str) -> None:
        """Drop a game's snapshots."""
        with self._lock:
            self._kept.pop(game, None)

    def _found(self, game: str, version: int) -> _Snapshot:
        """Fold from the nearest snapshot before it.

        Raises:
            _Forked: the snapshot is not of this log.
        """
        with self._lock:
            known = self._kept.get(game, ())
        place = bisect_right(known, version, key=lambda each: each.version)
        last = known[place - 1] if place else _BEGINNING
        taken: list[_Snapshot] = []
        for entry in self._entries(game, last, version):
            event, before = decode_event(entry), last.state
            if isinstance(event, GameRewound):
                # With what was taken on the way here, the table gone back to is as near as any.
                self._keep(game, taken)
                before = self._found(game, event.to_version).state
            last = _Snapshot(entry.version, entry.hash, evolve(before, event))
            if isinstance(event, GameRewound) or entry.version % APART == 0:
                taken.append(last)
        if last.version != version:
            raise UndecodableEvent(f"the log of {game} has no version {version}")
        self._keep(game, taken)
        return last

    def _entries(self, game: str, snapshot: _Snapshot, version: int) -> Iterator[RecordedEvent]:
        """The entries behind a snapshot, up to a version.

        Raises:
            _Forked: its own entry is not in the log.
        """
        after = snapshot.version
        if after:
            # Read together with what follows: one question to the store does for most versions.
            own, *entries = self._store.read(game, after - 1, 1 + min(AT_ONCE, version - after)) or (None,)
            if own is None or own.hash != snapshot.hash:
                raise _Forked
            yield from entries
            after += len(entries)
        while after < version:
            some = self._store.read(game, after, min(AT_ONCE, version - after))
            if not some:
                return
            yield from some
            after = some[-1].version

    def _keep(self, game: str, taken: list[_Snapshot]) -> None:
        if not taken:
            return
        with self._lock:
            kept = {each.version: each for each in (*self._kept.get(game, ()), *taken)}
            self._kept[game] = tuple(sorted(kept.values(), key=lambda each: each.version))
            self._kept.move_to_end(game)
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self._capacity:
                self._kept.popitem(last=False)
