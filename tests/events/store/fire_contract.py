"""The append function under fire: whatever is lost, paused, doubled or killed, every append is there exactly once."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from events.store.errors import StoreRefused, StoreUnavailable
from events.store.event_store import Appended
from events.store.redis.redis_store import RedisEventStore
from service.storage.partition_damage import find_damage
from tests.events.store.server_contract import setting
from tests.events.store.store_contract import append, everything_about
from tests.support.lossy_proxy import LossyProxy
from tests.support.recorded_events import recorded_run
from tests.support.servers import RunningStore

THREADS = 16


def insisting(store: RedisEventStore, game_id: str, after: int, command_id: str, tries: int = 20) -> Appended:
    """Send an append, and again with the same command id, until it is answered."""
    for _ in range(tries):
        try:
            return append(store, game_id, after, command_id=command_id)
        except StoreUnavailable:
            continue
    message = f"{command_id} was never answered"
    raise AssertionError(message)


class FireContract:
    """To be inherited by the tests of each server, which provide the fixtures `url`, `store` and `program`."""

    @pytest.fixture
    def killable(self, program: str, tmp_path: Path) -> Iterator[RunningStore]:
        """Start a server of this test's own, which keeps everything on its disk before it answers."""
        with RunningStore(tmp_path, "fsync", program) as running:
            yield running

    def test_parallel_duplicates_of_one_command_are_appended_once(self, store: RedisEventStore) -> None:
        """Sixteen threads send the same command at once: one writes, and all get the same answer."""
        append(store, "game", 0)
        start = threading.Barrier(THREADS)

        def send(_: int) -> Appended:
            start.wait(30)
            return append(store, "game", 1, 2, command_id="the same")

        with ThreadPoolExecutor(THREADS) as threads:
            answers = list(threads.map(send, range(THREADS)))

        assert [answer.duplicate for answer in answers].count(False) == 1
        assert {(answer.first_version, answer.last_version, answer.head_hash) for answer in answers} == {
            (2, 3, recorded_run(2, 1)[0].hash)
        }
        assert store.read("game") == recorded_run(0, 3)
        assert store.feed_end(store.partition_of("game")) == 2

    def test_lost_replies_one_after_the_other(self, store: RedisEventStore, url: str) -> None:
        """Every reply is swallowed once; the log and the feed hold every append once."""
        with LossyProxy(url) as proxy:
            through = RedisEventStore.connect(proxy.url)
            for version in range(10):
                proxy.lose_next_reply()
                assert insisting(through, "game", version, f"c-{version}").last_version == version + 1
            lost = proxy.lost
            through.close()

        assert lost == 10
        assert store.read("game") == recorded_run(0, 10)
        assert store.feed_end(store.partition_of("game")) == 10

    def test_a_paused_server_answers_everybody_once_it_goes_on(self, store: RedisEventStore) -> None:
        """Appends that wait out a pause, and their retries, are written once."""
        append(store, "game", 0)
        store.connection.command("CLIENT", "PAUSE", 4500, "WRITE")

        with ThreadPoolExecutor(4) as threads:
            answers = list(threads.map(lambda _: insisting(store, "game", 1, "paused"), range(4)))

        assert {answer.last_version for answer in answers} == {2}
        assert store.read("game") == recorded_run(0, 2)

    def test_a_stopped_server_answers_everybody_once_it_goes_on(self, killable: RunningStore) -> None:
        """SIGSTOP for some seconds: what arrived meanwhile and was given up by its sender is written once."""
        store = RedisEventStore.connect(killable.url)
        append(store, "game", 0)
        information = store.connection.command("INFO", "server").decode()
        server = int(information.split("process_id:")[1].split()[0])
        resume = threading.Timer(5.0, os.kill, (server, signal.SIGCONT))
        os.kill(server, signal.SIGSTOP)
        resume.start()
        try:
            with ThreadPoolExecutor(4) as threads:
                answers = list(threads.map(lambda _: insisting(store, "game", 1, "stopped"), range(4)))
        finally:
            resume.join()

        assert {answer.last_version for answer in answers} == {2}
        assert store.read("game") == recorded_run(0, 2)
        store.close()

    def test_a_server_killed_between_an_append_and_its_retry(
        self, killable: RunningStore, program: str
    ) -> None:
        """Started again on its folder it knows the command, and answers as it would have at first."""
        store = RedisEventStore.connect(killable.url)
        first = append(store, "game", 0, 2, command_id="before")
        killable.kill()
        with pytest.raises(StoreUnavailable):
            append(store, "game", 0, 2, command_id="before")

        with RunningStore(killable.folder, "fsync", program) as again:
            restarted = RedisEventStore.connect(again.url)
            answer = append(restarted, "game", 0, 2, command_id="before")
            assert append(restarted, "game", 2, command_id="after").last_version == 3
            assert restarted.read("game") == recorded_run(0, 3)
            restarted.close()

        assert (answer.last_version, answer.head_hash, answer.duplicate) == (2, first.head_hash, True)
        store.close()

    def test_a_full_server_answers_what_it_knows_and_goes_on_when_there_is_room(
        self, store: RedisEventStore
    ) -> None:
        """Refused before the first write, however often; reading and checking go on; then each is written once."""
        append(store, "game", 0)
        before = everything_about(store, "game")
        with setting(store.connection, "maxmemory", "1"):
            for _ in range(3):
                with pytest.raises(StoreRefused, match="out of memory"):
                    append(store, "game", 1, command_id="full")
            assert before == everything_about(store, "game")
            assert find_damage(store, store.partition_of("game")) is None

        assert not append(store, "game", 1, command_id="full").duplicate
        assert append(store, "game", 1, command_id="full").duplicate
        assert store.read("game") == recorded_run(0, 2)

    def test_functions_that_are_flushed_again_and_again(self, store: RedisEventStore) -> None:
        """As after failovers to servers without them: whoever comes first loads them, and nothing is doubled."""
        with ThreadPoolExecutor(THREADS) as threads:
            for version in range(5):
                store.connection.command("FUNCTION", "FLUSH")
                answers = list(threads.map(lambda _, at=version: append(store, "game", at), range(THREADS)))
                assert [answer.duplicate for answer in answers].count(False) == 1

        assert store.read("game") == recorded_run(0, 5)
