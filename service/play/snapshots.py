"""Games at earlier versions: folded from the nearest version that this process knows already.

Kept are a snapshot behind every 128th entry and behind every entry with which a game went back, and the versions that
were asked for last. So who follows a game, however far behind, has only the new entries folded; and what is folded
from a snapshot on is short, and never goes back by itself. Snapshots are a shortcut like every cache here: where the
entry behind which one was taken is not in the log any more, all of the game's are dropped.

A log is read in pieces, and few long ones are folded at once: what that takes does not grow with the log.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from threading import BoundedSemaphore, Lock
from typing import Final, NamedTuple

from events.chain.hash_chain import GENESIS
from events.domain_events import DomainEvent, GameRewound
from events.game.log_facts import EMPTY, LogCounter, LogFacts
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE, GameState
from events.store.event_store import EventStore

APART: Final = 128
"""Entries between two snapshots."""
AT_ONCE: Final = 1_024
"""Entries read together."""
LONG_AT_ONCE: Final = 2
"""Folds of more entries than are read together, at once."""
RECENT: Final = 8
"""Versions of a game that are kept because they were asked for last."""
CAPACITY: Final = 16_384
"""Snapshots of all games together; neighbours share most of their parts."""


class Snapshot(NamedTuple):
    """A game at one version."""

    version: int
    hash: str
    state: GameState
    at: int = 0
    """When its last event happened: milliseconds since the epoch."""
    type: str = ""
    """What that was."""
    log: LogFacts = EMPTY


_BEGINNING: Final = Snapshot(0, GENESIS, INITIAL_STATE)
Reading = Callable[[RecordedEvent], DomainEvent]
"""Takes the event out of an entry."""


class _Kept(NamedTuple):
    """What is known of a game."""

    apart: tuple[Snapshot, ...] = ()
    """By version."""
    recent: tuple[Snapshot, ...] = ()
    """The one asked for last is the first."""

    def nearest(self, version: int) -> Snapshot:
        """The last one that is not behind this version."""
        place = bisect_right(self.apart, version, key=lambda each: each.version)
        near = (each for each in self.recent if each.version <= version)
        return max((*self.apart[place - 1 : place], *near), key=lambda each: each.version, default=_BEGINNING)

    def with_more(self, taken: Sequence[Snapshot], last: Snapshot) -> "_Kept":
        """The same with some taken on the way to the one that was asked for."""
        apart = self.apart
        if taken:
            known = {each.version: each for each in (*apart, *taken)}
            apart = tuple(sorted(known.values(), key=lambda each: each.version))
        others = (each for each in self.recent if each.version != last.version)
        return _Kept(apart, (last, *others)[:RECENT])

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self.apart) + len(self.recent)


class _Forked(Exception):
    """The log is not the one that the snapshots were taken of."""


class Snapshots:
    """The snapshots of this process; safe to use from many threads."""

    def __init__(
        self, store: EventStore, capacity: int = CAPACITY, read_event: Reading = decode_event
    ) -> None:
        """Keep at most about `capacity` snapshots of this store's games, those used last.

        `read_event` decides what of each event is folded: all of it, or what somebody may see.
        """
        self._read_event = read_event
        self._store = store
        self._capacity = capacity
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._count = 0
        self._lock = Lock()
        self._long_folds = BoundedSemaphore(LONG_AT_ONCE)

    def at(self, game: str, version: int) -> Snapshot:
        """The game as it was at this version; 0 is before it began.

        Raises:
            GameNotFound: the game does not exist.
            UndecodableEvent: an entry cannot be read, or there is none of this version.
        """
        is_long = version - self._nearest(game, version).version > AT_ONCE
        with self._long_folds if is_long else nullcontext():
            try:
                return self._fold_from_nearest(game, version)
            except _Forked:
                self.forget(game)
                return self._fold_from_nearest(game, version)

    def forget(self, game: str) -> None:
        """Drop a game's snapshots."""
        with self._lock:
            self._count -= self._kept.pop(game, _Kept()).size

    def _nearest(self, game: str, version: int) -> Snapshot:
        with self._lock:
            return self._kept.get(game, _Kept()).nearest(version)

    def _fold_from_nearest(self, game: str, version: int) -> Snapshot:
        """Fold from the nearest snapshot before it.

        Raises:
            _Forked: the snapshot is not of this log.
        """
        last = self._nearest(game, version)
        state, counter = last.state, LogCounter(last.log)
        taken: list[Snapshot] = []
        for entry in self._entries(game, last, version):
            event = self._read_event(entry)
            if isinstance(event, GameRewound):
                # With what was taken on the way here, the table gone back to is as near as any.
                if taken:
                    self._keep(game, taken, taken[-1])
                state = self._fold_from_nearest(game, event.to_version).state
            state = evolve(state, event)
            counter.add(entry, event, state)
            is_taken = isinstance(event, GameRewound) or entry.version % APART == 0
            if is_taken or entry.version == version:
                last = Snapshot(entry.version, entry.hash, state, entry.at, entry.type, counter.facts())
            if is_taken:
                taken.append(last)
        if last.version != version:
            raise UndecodableEvent(f"the log of {game} has no version {version}")
        if version:
            self._keep(game, taken, last)
        return last

    def _entries(self, game: str, snapshot: Snapshot, version: int) -> Iterator[RecordedEvent]:
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

    def _keep(self, game: str, taken: Sequence[Snapshot], last: Snapshot) -> None:
        with self._lock:
            before = self._kept.get(game, _Kept())
            now = self._kept[game] = before.with_more(taken, last)
            self._kept.move_to_end(game)
            self._count += now.size - before.size
            while len(self._kept) > 1 and self._count > self._capacity:
                self._count -= self._kept.popitem(last=False)[1].size
