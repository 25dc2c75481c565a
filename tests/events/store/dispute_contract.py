"""What every store on a server promises about the cases of its games."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from events.disputes.events import CaseEventRecord, DisputeOpened, EvidenceAdded
from events.disputes.facts import Person
from events.store.errors import CommandIdReused, GameNotFound, PartitionQuarantined
from events.store.event_store import Head
from events.store.redis.redis_store import RedisEventStore
from service.disputes.disputes import CaseAnswer, DisputeLog, Disputes
from service.disputes.queue import DisputeQueue, Wanted
from service.disputes.store import InTheGame, Moved
from tests.events.store.store_contract import append, everything_about
from tests.support.recorded_events import hash_after, recorded_run

ANN = Person("seat:0", "Ann")
OPENED = CaseEventRecord(
    1, 1_800_000_000_000, ANN, DisputeOpened("other", "?", 2, hash_after(2), pause=False, until=1)
)
EVIDENCE = CaseEventRecord(1, 1_800_000_000_001, ANN, EvidenceAdded("Look."))


def wrote(
    store: RedisEventStore,
    log: DisputeLog,
    happened: CaseEventRecord,
    request: str,
    *,
    in_the_game: InTheGame | None = None,
    fingerprint: str = "print",
) -> tuple[CaseAnswer, bool]:
    """Append one event of a case."""
    return Disputes(store).append(log, [happened], ANN.who, request, fingerprint, in_the_game)


def played(after: int, hash_there: str | None = None) -> InTheGame:
    """Two entries of the game that follow a version."""
    return InTheGame(Head(version=after, hash=hash_there or hash_after(after)), recorded_run(after, 2))


class DisputeContract:
    """To be inherited by each store's tests, which provide the fixture `store`."""

    def test_a_case_is_read_as_it_was_written(self, store: RedisEventStore) -> None:
        """With its place in the queue; the game itself is as it was."""
        append(store, "game", 0, 2)
        before = everything_about(store, "game")

        answer, known = wrote(store, Disputes(store).of("game"), OPENED, "first")

        log = Disputes(store).of("game")
        assert ([each.happened for each in log.entries], log.hash, known) == ([OPENED], answer.hash, False)
        assert [row.dispute for row in DisputeQueue(store).page(Wanted(), 9)[0]] == [1]
        assert everything_about(store, "game") == before

    def test_a_request_about_a_case_counts_once(self, store: RedisEventStore) -> None:
        """Sent again it gets its first answer, wherever the log is by then; with something else it is refused."""
        append(store, "game", 0, 2)
        empty = Disputes(store).of("game")
        first, _ = wrote(store, empty, OPENED, "first")
        wrote(store, Disputes(store).of("game"), EVIDENCE, "second")
        for log in (empty, Disputes(store).of("game")):
            assert wrote(store, log, OPENED, "first") == (first, True)
        with pytest.raises(CommandIdReused):
            wrote(store, empty, OPENED, "first", fingerprint="another")
        assert len(Disputes(store).of("game").entries) == 2

    def test_of_those_who_write_at_once_one_is_first(self, store: RedisEventStore) -> None:
        """The others have to look again."""
        append(store, "game", 0, 2)
        wrote(store, Disputes(store).of("game"), OPENED, "first")
        log = Disputes(store).of("game")

        def write(number: int) -> bool:
            try:
                wrote(store, log, EVIDENCE, f"request-{number}")
            except Moved:
                return False
            return True

        with ThreadPoolExecutor(6) as pool:
            assert sum(pool.map(write, range(6))) == 1
        assert len(Disputes(store).of("game").entries) == 2

    def test_a_case_and_its_game_move_together(self, store: RedisEventStore) -> None:
        """Both are written, once."""
        append(store, "game", 0, 2)
        log = Disputes(store).of("game")
        answer, _ = wrote(store, log, OPENED, "first", in_the_game=played(2))
        assert wrote(store, log, OPENED, "first", in_the_game=played(2)) == (answer, True)
        assert store.head("game") == Head(version=4, hash=hash_after(4))
        assert store.read_feed(store.partition_of("game"))[-1].last_version == 4

    def test_neither_moves_where_the_other_one_cannot(self, store: RedisEventStore) -> None:
        """A game that has moved on or forked, cases that have moved on: nothing at all is written."""
        append(store, "game", 0, 2)
        empty = Disputes(store).of("game")
        wrote(store, empty, OPENED, "first")
        log, before = Disputes(store).of("game"), everything_about(store, "game")
        for number, (seen, game) in enumerate(
            ((log, played(1)), (log, played(2, "f" * 64)), (empty, played(2)), (log, played(9)))
        ):
            with pytest.raises(Moved):
                wrote(store, seen, EVIDENCE if seen.cases else OPENED, f"request-{number}", in_the_game=game)
            assert everything_about(store, "game") == before
            assert Disputes(store).of("game") == log

    def test_there_are_no_cases_of_no_game_and_none_in_a_quarantine(self, store: RedisEventStore) -> None:
        """Nothing is written to either."""
        nothing = Disputes(store).of("absent")
        assert nothing.cases == ()
        with pytest.raises(GameNotFound):
            wrote(store, nothing, OPENED, "first")
        append(store, "game", 0, 2)
        store.quarantine.put(store.partition_of("game"), "lost something")
        with pytest.raises(PartitionQuarantined):
            wrote(store, Disputes(store).of("game"), OPENED, "first")
        assert Disputes(store).of("game").entries == ()
