"""Whatever is done to a store, in whatever order, it answers as plain lists would."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from events.log.recorded import RecordedEvent
from events.store.errors import (
    CommandIdReused,
    GameNotFound,
    HistoryForked,
    PartitionQuarantined,
    RequirementUnmet,
    VersionConflict,
)
from events.store.event_store import Appended, EventStore
from events.store.redis.redis_store import RedisEventStore
from tests.support.memory_store import MemoryEventStore
from tests.support.recorded_events import hash_after, recorded_run
from tests.support.servers import empty

GAMES = st.sampled_from(["beans", "more-beans", "even_more"])
COMMANDS = st.sampled_from(["a", "b", "c", "d", "e", "f"])
FINGERPRINTS = st.sampled_from(["same", "same", "same", "other"])
BOUNDED = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


class StoreMachine(RuleBasedStateMachine):
    """A store beside a model made of plain lists."""

    make_store: Callable[[], EventStore]

    def __init__(self) -> None:
        """Start with an empty store and an empty model."""
        super().__init__()
        self.store = type(self).make_store()
        self.games: dict[str, list[RecordedEvent]] = {}
        self.private: dict[str, dict[str, str]] = {}
        self.answers: dict[tuple[str, str], tuple[str, Appended]] = {}
        self.feeds: dict[int, list[tuple[str, int, int, str]]] = {}
        self.quarantined: dict[int, str] = {}

    @rule(
        game_id=GAMES,
        command_id=COMMANDS,
        fingerprint=FINGERPRINTS,
        offset=st.sampled_from([0, 0, 0, 0, -2, -1, 1, 2]),
        count=st.integers(1, 3),
        private=st.dictionaries(st.sampled_from(["x", "y"]), st.text(max_size=3), max_size=2),
        note=st.sampled_from(["", "1", "2"]),
        elsewhere=st.sampled_from(["", "", "", "elsewhere"]),
        required=st.dictionaries(st.sampled_from(["x", "y"]), st.text(max_size=1), max_size=1),
    )
    def append(  # noqa: PLR0917 - one strategy each
        self,
        game_id: str,
        command_id: str,
        fingerprint: str,
        offset: int,
        count: int,
        private: dict[str, str],
        note: str,
        elsewhere: str,
        required: dict[str, str],
    ) -> None:
        """Append at, before or after the right version and hash, under a new or a used command id."""
        game = self.games.get(game_id, [])
        expected = max(0, len(game) + offset)
        events = recorded_run(expected, count, note)
        known = self.answers.get((game_id, command_id))
        partition = self.store.partition_of(game_id)
        expected_hash = game[expected - 1].hash if 0 < expected <= len(game) else hash_after(expected)
        forked = bool(elsewhere) and expected > 0
        if forked:
            expected_hash = hash_after(expected, elsewhere)

        def append() -> Appended:
            return self.store.append(
                game_id,
                events,
                expected_version=expected,
                expected_hash=expected_hash,
                command_id=command_id,
                fingerprint=fingerprint,
                private=private,
                required=required,
            )

        held = self.private.get(game_id, {})
        if any(held.get(name) != value for name, value in required.items()):
            with pytest.raises(RequirementUnmet):
                append()
        elif known is not None and known[0] != fingerprint:
            with pytest.raises(CommandIdReused):
                append()
        elif known is not None:
            assert append() == known[1]
        elif partition in self.quarantined:
            with pytest.raises(PartitionQuarantined, match=self.quarantined[partition]):
                append()
        elif not game and expected:
            with pytest.raises(GameNotFound):
                append()
        elif forked and expected <= len(game):
            with pytest.raises(HistoryForked) as fork:
                append()
            assert (len(game), game[-1].hash) == (fork.value.actual, fork.value.actual_hash)
        elif expected != len(game):
            with pytest.raises(VersionConflict) as refused:
                append()
            assert (len(game), tuple(game[expected:])) == (refused.value.actual, refused.value.missed)
        else:
            answer = append()
            assert not answer.duplicate
            assert (expected + 1, events[-1].hash) == (answer.first_version, answer.head_hash)
            self.games[game_id] = [*game, *events]
            self.private[game_id] = self.private.get(game_id, {}) | private
            self.answers[game_id, command_id] = (
                fingerprint,
                Appended(
                    first_version=expected + 1,
                    last_version=expected + count,
                    head_hash=events[-1].hash,
                    duplicate=True,
                ),
            )
            feed = self.feeds.setdefault(partition, [])
            feed.append((game_id, expected + 1, expected + count, events[-1].hash))

    @rule(partition=st.integers(0, 1), reason=st.sampled_from(["lost", "damaged", None, None]))
    def quarantine(self, partition: int, reason: str | None) -> None:
        """Quarantine a partition, or release it."""
        if reason is None:
            self.store.quarantine.release(partition)
            self.quarantined.pop(partition, None)
        else:
            self.store.quarantine.put(partition, reason)
            self.quarantined[partition] = reason
        assert self.quarantined == self.store.quarantine.reasons()

    @rule(game_id=GAMES, after=st.integers(0, 8), limit=st.none() | st.integers(0, 4))
    def read(self, game_id: str, after: int, limit: int | None) -> None:
        """Read some of a game."""
        if game_id not in self.games:
            with pytest.raises(GameNotFound):
                self.store.read(game_id, after, limit)
        else:
            end = None if limit is None else after + limit
            assert tuple(self.games[game_id][after:end]) == self.store.read(game_id, after, limit)

    @rule(game_id=GAMES, command_id=COMMANDS)
    def ask_for_a_command(self, game_id: str, command_id: str) -> None:
        """Ask for a command that may be known."""
        assert self.answers.get((game_id, command_id)) == self.store.idempotency_record(game_id, command_id)

    @rule(after=st.integers(0, 5), limit=st.integers(0, 3))
    def read_the_feeds(self, after: int, limit: int) -> None:
        """Read a part of every feed."""
        for partition in range(self.store.partitions):
            told = self.store.read_feed(partition, after, limit)
            expected = self.feeds.get(partition, [])[after : after + limit]
            assert [entry.position for entry in told] == list(range(after + 1, after + 1 + len(expected)))
            assert expected == [
                (each.game_id, each.first_version, each.last_version, each.hash) for each in told
            ]

    @invariant()
    def everything_is_there(self) -> None:
        """Heads and private fields agree after every step."""
        for game_id, game in self.games.items():
            head = self.store.head(game_id)
            assert head is not None
            assert (len(game), game[-1].hash) == (head.version, head.hash)
            assert self.private[game_id] == self.store.private(game_id)


def test_the_store_in_memory_behaves_like_lists() -> None:
    """The model and `MemoryEventStore` agree."""

    class MemoryMachine(StoreMachine):
        """The machine on a store in memory."""

        make_store = staticmethod(lambda: MemoryEventStore(partitions=2))

    run_state_machine_as_test(MemoryMachine, settings=BOUNDED)


@pytest.mark.parametrize("server", ["redis_url", "debian_redis_url"])
def test_the_store_on_servers_behaves_like_lists(server: str, request: pytest.FixtureRequest) -> None:
    """The model and `RedisEventStore` agree, on the embedded Valkey and on Debian's Redis where it is installed."""
    redis_url = request.getfixturevalue(server)
    stores: list[RedisEventStore] = []

    def make_store() -> EventStore:
        empty(redis_url)
        while stores:
            stores.pop().close()
        stores.append(RedisEventStore.connect(redis_url, partitions=2))
        return stores[0]

    class ServerMachine(StoreMachine):
        """The machine on this server."""

    ServerMachine.make_store = staticmethod(make_store)
    run_state_machine_as_test(ServerMachine, settings=BOUNDED)
    stores.pop().close()
