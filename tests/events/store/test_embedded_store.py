"""The embedded store as a process: its folder, its lock, its durability, its end."""

import fcntl
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from events.store.errors import StoreUnavailable
from events.store.redis.redis_store import RedisEventStore
from service.embedded_store import WRONG_USE
from service.server.store_process import quoted, socket_url
from tests.events.store.store_contract import append
from tests.support.recorded_events import recorded_run
from tests.support.servers import (
    ROOT,
    RunningStore,
    environment_without_settings,
    eventually,
    start_launcher,
)

PARENT = """
import subprocess, sys
subprocess.Popen([sys.executable, "-m", "service.embedded_store"]).wait()
"""
"""A program that starts the store and waits for it."""

GUARDED = """
import os, sys, time
from service.server.store_process import start_guard
start_guard(frozenset({int(sys.argv[1])}), os.open(os.devnull, os.O_RDONLY), None)
time.sleep(600)
"""
"""A program that stands for the server and starts the guard, with the parent's id as its argument."""


def is_free(folder: Path) -> bool:
    """Tell whether nobody holds the lock of a data folder: it lives exactly as long as the server."""
    with (folder / "store" / "lock").open("rb+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def refusal(environment: dict[str, str]) -> str:
    """Start the store with settings it refuses, and return what it says."""
    ended = subprocess.run(
        [sys.executable, "-m", "service.embedded_store"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == WRONG_USE
    return ended.stderr


def test_it_keeps_everything_acknowledged_when_it_is_killed(tmp_path: Path) -> None:
    """Kill -9 under the load of eight writers at level fsync; every answered append is there afterwards."""
    answered: list[tuple[str, int, str]] = []
    killed = threading.Event()
    with RunningStore(tmp_path, durability="fsync") as running:
        store = RedisEventStore.connect(running.url)

        def write(game_id: str) -> None:
            version = 0
            while not killed.is_set():
                try:
                    answer = append(store, game_id, version, 2)
                except StoreUnavailable:
                    return
                answered.append((game_id, answer.last_version, answer.head_hash))
                version = answer.last_version

        with ThreadPoolExecutor(8) as threads:
            writers = [threads.submit(write, f"game-{number}") for number in range(8)]
            time.sleep(0.5)
            running.kill()
            killed.set()
            for writer in writers:
                writer.result(timeout=120)
        store.close()

    assert len(answered) > 8
    with RunningStore(tmp_path, durability="fsync") as running:
        store = RedisEventStore.connect(running.url)
        for game_id in {game_id for game_id, _, _ in answered}:
            events = store.read(game_id)
            assert recorded_run(0, len(events)) == events
            for told, version, chain_hash in answered:
                if told == game_id:
                    assert events[version - 1].hash == chain_hash
            append(store, game_id, len(events), command_id="afterwards")
        store.close()


def test_its_games_are_there_after_a_restart(tmp_path: Path) -> None:
    """A graceful stop ends within five seconds and with status 0; the installation stays the same."""
    with RunningStore(tmp_path, durability="local") as running:
        store = RedisEventStore.connect(running.url, partitions=5)
        append(store, "game", 0, 3)
        installation = store.installation
        store.close()
        started = time.monotonic()
        assert running.stop() == 0
        assert time.monotonic() - started < 5

    with RunningStore(tmp_path, durability="local") as running:
        store = RedisEventStore.connect(running.url)
        assert store.read("game") == recorded_run(0, 3)
        assert installation == store.installation
        store.close()


@pytest.mark.parametrize("name", ["with a space", 'odd "\\ é\n%20', "long" * 50])
def test_it_works_in_any_folder(tmp_path: Path, name: str) -> None:
    """Spaces, quotes, line breaks and a path too long for a socket are no hindrance."""
    with RunningStore(tmp_path / name, durability="fsync") as running:
        store = RedisEventStore.connect(running.url)
        assert append(store, "game", 0).last_version == 1
        store.close()

        assert (tmp_path / name / "store").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / name / "store" / "appendonlydir").is_dir()


def test_the_folder_for_a_socket_elsewhere_goes_with_the_server(tmp_path: Path) -> None:
    """Where the path is too long, the short folder that is used instead does not stay behind."""
    with RunningStore(tmp_path / ("long" * 50)) as running:
        short = Path(running.url.removeprefix("unix://")).parent
        assert short.stat().st_mode & 0o777 == 0o700

    eventually(lambda: not short.exists())


def test_two_servers_never_share_a_folder(tmp_path: Path) -> None:
    """The second one says who is there, ends with status 2, and the first one goes on."""
    with RunningStore(tmp_path) as running:
        said = refusal(running.environment)

        assert f"another store (process {running.process.pid}) already runs on {tmp_path}" in said
        assert "FIELDBOOK_DATA" in said
        store = RedisEventStore.connect(running.url)
        append(store, "game", 0)
        store.close()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("FIELDBOOK_DURABILITY", "replicated", "set REDIS_URL to a server with a replica"),
        ("FIELDBOOK_DURABILITY", "much", "must be memory, local, fsync or replicated, not 'much'"),
        ("FIELDBOOK_PARTITIONS", "many", "FIELDBOOK_PARTITIONS"),
        ("FIELDBOOK_PARENT", "honcho", "FIELDBOOK_PARENT must be the id of a process, not 'honcho'"),
        ("FIELDBOOK_STORE_PROGRAM", "/does/not/exist", "/does/not/exist"),
    ],
)
def test_it_says_why_it_does_not_start(tmp_path: Path, name: str, value: str, sentence: str) -> None:
    """Settings it cannot follow are named in the sentence."""
    environment = environment_without_settings() | {"FIELDBOOK_DATA": str(tmp_path), name: value}

    assert sentence in refusal(environment)


def test_a_folder_with_a_log_is_not_opened_without_reading_it(tmp_path: Path) -> None:
    """At level memory the server would start empty beside the kept games, as if they were lost."""
    with RunningStore(tmp_path, durability="local") as running:
        environment = running.environment | {"FIELDBOOK_DURABILITY": "memory"}

    assert "holds a log" in refusal(environment)


def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    """A parent that is killed leaves no server behind."""
    environment = environment_without_settings() | {"FIELDBOOK_DATA": str(tmp_path)}
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            PARENT,
        ],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    eventually((tmp_path / "store" / "store.sock").exists)
    assert not is_free(tmp_path)

    parent.kill()
    parent.wait(10)

    eventually(lambda: is_free(tmp_path), seconds=60)


def test_it_ends_with_the_process_it_is_told_of(tmp_path: Path) -> None:
    """A killed process manager may leave our parent alive; named in FIELDBOOK_PARENT, it is watched too."""
    manager = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    environment = environment_without_settings() | {
        "FIELDBOOK_DATA": str(tmp_path),
        "FIELDBOOK_PARENT": str(manager.pid),
    }
    process = start_launcher(environment)
    eventually((tmp_path / "store" / "store.sock").exists)

    manager.kill()
    manager.wait(10)

    assert process.wait(60) in {0, -signal.SIGTERM}
    assert is_free(tmp_path)
    # Started when the manager is gone already, it does not stay either.
    assert start_launcher(environment).wait(60) in {0, -signal.SIGTERM}


def test_its_guard_ends_it_where_the_system_does_not(tmp_path: Path) -> None:
    """The guard alone, as on macOS: it ends the server process within seconds of the parent's end."""
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    server = subprocess.Popen(
        [
            sys.executable,
            "-c",
            GUARDED,
            str(parent.pid),
        ],
        cwd=ROOT,
    )
    try:
        time.sleep(0.6)
        assert server.poll() is None

        parent.kill()
        parent.wait(10)

        assert server.wait(60) == -signal.SIGTERM
    finally:
        for process in (parent, server):
            process.kill()
            process.wait(10)


def test_with_another_server_configured_it_idles_until_told_to_stop(tmp_path: Path) -> None:
    """The process stays, since a process manager stops all when one ends, and touches no folder."""
    environment = environment_without_settings() | {
        "FIELDBOOK_DATA": str(tmp_path / "data"),
        "REDIS_URL": "redis://127.0.0.1:1",
    }
    process = start_launcher(environment)
    time.sleep(1.0)
    assert process.poll() is None

    process.terminate()

    assert process.wait(60) in {0, -signal.SIGTERM}
    assert not (tmp_path / "data").exists()


def test_an_address_takes_every_letter() -> None:
    """What an address or a configuration file would misread is encoded."""
    assert socket_url(Path("/my data/é")) == "unix:///my%20data/%C3%A9"
    assert quoted(b'a "b"\n') == b'"a \\x22b\\x22\\x0a"'
