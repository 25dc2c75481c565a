"""The table at any version, from snapshots: what folding the log up to it gives, also of games that went back."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

import pytest

from events.game.table import Table, open_table
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.systems.registry import BY_KEY
from events.rules.table.state import GameState
from service.play.snapshots import APART, AT_ONCE, LONG_AT_ONCE, Snapshots
from tests.support.disputed_games import disputed_game
from tests.support.memory_store import MemoryEventStore
from tests.support.recorded_games import RecordedGame, recorded_game


class CountingStore(MemoryEventStore):
    """A store that counts the entries it hands out, and may have lost a log to another."""

    entries = 0
    instead: MemoryEventStore | None = None

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> tuple[RecordedEvent, ...]:
        """As ever."""
        if self.instead is not None:
            return self.instead.read(game_id, after, limit)
        found = super().read(game_id, after, limit)
        self.entries += len(found)
        return found


class HeldStore(MemoryEventStore):
    """A store that hands out nothing of some games until it is let go on, and knows who has asked."""

    def __init__(self) -> None:
        """Hold no game."""
        super().__init__()
        self.held: frozenset[str] = frozenset()
        self.asked: set[str] = set()
        self.going_on = Event()
        self._own = Lock()

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> tuple[RecordedEvent, ...]:
        """As ever, only later."""
        with self._own:
            self.asked.add(game_id)
        if game_id in self.held:
            assert self.going_on.wait(30)
        return super().read(game_id, after, limit)

    def wait_until_asked(self, games: int) -> set[str]:
        """The games that were asked for, as soon as there are so many, and nobody has asked for more soon after."""
        until = time.monotonic() + 10
        while len(self.asked) < games and time.monotonic() < until:
            time.sleep(0.005)
        time.sleep(0.2)
        with self._own:
            return {*self.asked}


def stored(game: RecordedGame, store: MemoryEventStore | None = None) -> tuple[MemoryEventStore, Table]:
    """A store with the log of a game, and its table."""
    store = MemoryEventStore() if store is None else store
    more: dict[str, Any] = {"expected_version": 0, "command_id": "all", "fingerprint": "all"}
    store.append(game.table.game, game.log, **more)
    return store, game.table


def folded(table: Table, log: tuple[RecordedEvent, ...], version: int) -> tuple[int, str, GameState]:
    """The game at a version, folded from the beginning."""
    opened = open_table(log[:version], table.secret, installed_catalogue)
    return opened.version, opened.hash, opened.state


@pytest.mark.parametrize("system", BY_KEY)
def test_the_table_at_any_version_is_what_the_log_folds_to(system: str) -> None:
    """In any order, from snapshots or without any; of games that went back more than once."""
    disputed = disputed_game("snapshots", system, BY_KEY[system].players[0])
    store, table = stored(RecordedGame(disputed.table, disputed.log))
    snapshots = Snapshots(store)
    versions = [
        *disputed.rewindings,
        *(each + 1 for each in disputed.rewindings),
        *range(1, table.version, 23),
    ]
    random.Random(system).shuffle(versions)

    for version in versions:
        assert snapshots.at(table.game, version)[:3] == folded(table, disputed.log, version), (
            f"version {version}"
        )
    assert snapshots.at(table.game, table.version)[:3] == (table.version, table.hash, table.state)


def test_near_a_snapshot_little_is_read() -> None:
    """Once the way to a version was gone, every earlier one is at most so many entries from a snapshot."""
    game = recorded_game(5, 4, (), 12)
    store = CountingStore()
    _, table = stored(game, store)
    snapshots = Snapshots(store)
    snapshots.at(table.game, table.version)
    assert store.entries == table.version

    for version in (1, APART - 1, APART, APART + 1, 3 * APART - 1, table.version - 1):
        store.entries = 0
        assert snapshots.at(table.game, version)[:3] == folded(table, game.log, version)
        assert store.entries <= APART


@pytest.mark.parametrize("behind", [0, 40])
def test_who_follows_a_game_has_only_the_new_entries_read(behind: int) -> None:
    """However far behind: those since the version that was asked for last, and that one's own."""
    game = recorded_game(5, 4, (), 12)
    store = CountingStore()
    _, table = stored(game, store)
    snapshots = Snapshots(store)
    snapshots.at(table.game, 200 - behind)

    for version in range(203, 300, 3):
        store.entries = 0
        assert snapshots.at(table.game, version - behind)[:3] == folded(table, game.log, version - behind)
        assert store.entries == 4


def test_a_snapshot_knows_when_its_last_event_happened_and_up_to_where_the_game_was_open() -> None:
    """What the log says of both; before the start there is no such version."""
    game = recorded_game(5, 4, (), 12)
    store, table = stored(game)
    started = next(entry.version for entry in game.log if entry.type == "game_started")
    snapshots = Snapshots(store)

    for version in (1, started - 1, started, table.version):
        found = snapshots.at(table.game, version)
        assert found.at == game.log[version - 1].at
        assert found.log.opened == (started - 1 if version >= started else 0)
    assert snapshots.at(table.game, 0).state.status == "none"


def test_a_log_that_was_lost_and_went_on_otherwise_is_folded_anew() -> None:
    """The chain hash behind a snapshot is not in the log any more: nothing of it is used."""
    one, other = (recorded_game(5, 4, (), most_offers) for most_offers in (12, 3))
    store = CountingStore()
    _, table = stored(one, store)
    snapshots = Snapshots(store)
    snapshots.at(table.game, 3 * APART)
    assert one.log[: 3 * APART] != other.log[: 3 * APART]
    store.instead, table = stored(other)

    assert snapshots.at(table.game, 3 * APART + 5)[:3] == folded(table, other.log, 3 * APART + 5)


def test_snapshots_of_games_used_long_ago_are_given_up() -> None:
    """There are at most about so many; the game that was just looked at keeps its own."""
    game = recorded_game(5, 4, (), 12)
    store = CountingStore()
    tables = [stored(recorded_game(seed, 4, (), 12), store)[1] for seed in (5, 6, 7)]
    snapshots = Snapshots(store, capacity=game.table.version // APART)

    for table in tables:
        snapshots.at(table.game, table.version)
    store.entries = 0
    snapshots.at(tables[-1].game, tables[-1].version - 1)
    assert store.entries <= APART
    store.entries = 0
    snapshots.at(tables[0].game, tables[0].version - 1)
    assert store.entries == tables[0].version - 1


def test_a_version_that_the_log_does_not_have_is_refused() -> None:
    """Whoever asks has checked it; a log that lost its end since then is no table."""
    store, table = stored(recorded_game(5, 4, (), 12))

    with pytest.raises(UndecodableEvent, match="has no version"):
        Snapshots(store).at(table.game, table.version + 1)


def test_so_many_long_folds_are_under_way_at_once() -> None:
    """One more waits until another is done; short ones, also of a long log, go on all the while."""
    store = HeldStore()
    games = [recorded_game(seed, 5, (), 3_000) for seed in range(5, 5 + LONG_AT_ONCE + 2)]
    *long, other = [stored(game, store)[1] for game in games]
    assert min(table.version for table in (*long, other)) > AT_ONCE
    snapshots = Snapshots(store)
    store.held = frozenset(table.game for table in long)

    with ThreadPoolExecutor(len(long)) as threads:
        try:
            folds = [threads.submit(snapshots.at, table.game, table.version) for table in long]
            assert len(store.wait_until_asked(LONG_AT_ONCE)) == LONG_AT_ONCE
            assert snapshots.at(other.game, AT_ONCE).version == AT_ONCE
            assert snapshots.at(other.game, other.version)[:3] == (other.version, other.hash, other.state)
            assert not any(each.done() for each in folds)
        finally:
            store.going_on.set()
        found = [each.result(30) for each in folds]
    assert [each[:3] for each in found] == [(table.version, table.hash, table.state) for table in long]
