"""Real servers for tests: one embedded Valkey per test process, and Debian's Redis where it is installed.

Fixtures: `redis_url` (address of the embedded Valkey), `store` (a fresh store on it), `store_environment`
(the environment variables with which another process finds that store).
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Self

import pytest

from events.store.errors import StoreUnavailable
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import connect
from events.store.redis.redis_store import RedisEventStore

ROOT: Final = Path(__file__).parents[2]
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 60.0
SHORTEST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 0.25
"""Seconds between two looks: soon at first, and then seldom enough to leave the time to those who are looked at."""
SETTINGS: Final = "FIELDBOOK_"

REDIS_PROGRAM: Final = shutil.which("redis-server")
REDIS_REQUIRED: Final = os.environ.get("FIELDBOOK_REQUIRE_REDIS") == "1"


def environment_without_settings() -> dict[str, str]:
    """Return this process's environment without anything that configures the store."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(SETTINGS) and name not in {"REDIS_URL", "QUEUE_REDIS_URL"}
    }


class RunningStore:
    """A server started by our own launcher on a folder; it ends with this process, whatever happens."""

    def __init__(self, folder: Path, durability: str = "memory", program: str = "", memory: str = "") -> None:
        """Start it and wait until it answers; `folder` is the data folder, `memory` as FIELDBOOK_STORE_MEMORY."""
        self.folder = folder
        self.environment = environment_without_settings() | {
            "FIELDBOOK_DATA": str(folder),
            "FIELDBOOK_PARENT": str(os.getpid()),
            "FIELDBOOK_DURABILITY": durability,
            "FIELDBOOK_STORE_PROGRAM": program,
            "FIELDBOOK_STORE_MEMORY": memory,
        }
        self.process = start_launcher(self.environment)
        self.url = self._wait()

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    def _wait(self) -> str:
        """Return the address once something answers there."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                url = (self.folder / "store" / "address").read_text().strip()
                connection = RedisConnection(url)
                if connection.command("CONFIG", "GET", "dir")[1] == bytes(self.folder / "store"):
                    connection.command("DBSIZE")
                    connection.close()
                    return url
            except (FileNotFoundError, StoreUnavailable):
                time.sleep(0.02)
        self.stop()
        message = f"The store on {self.folder} did not start."
        raise AssertionError(message)

    def stop(self) -> int:
        """Ask it to end and return its exit status; kill it when it takes too long."""
        self.process.terminate()
        return self._end()

    def kill(self) -> int:
        """Kill it at once."""
        self.process.kill()
        return self._end()

    def _end(self) -> int:
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(STOP_SECONDS)


def start_launcher(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start `python -m service.embedded_store` with this environment, its output thrown away."""
    return subprocess.Popen(
        [sys.executable, "-m", "service.embedded_store"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def eventually(condition: Callable[[], bool], seconds: float = START_SECONDS) -> None:
    """Wait until a condition holds; fails when it never does."""
    deadline, pause = time.monotonic() + seconds, SHORTEST_PAUSE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(pause)
        pause = min(LONGEST_PAUSE, 1.5 * pause)


def empty(url: str) -> None:
    """Throw away everything a server or a cluster holds; our functions stay loaded."""
    connection = connect(url)
    connection.command("FLUSHALL")
    connection.close()


def opened(url: str) -> Iterator[RedisEventStore]:
    """Yield a store on an emptied server and close it afterwards."""
    empty(url)
    store = RedisEventStore.connect(url)
    yield store
    store.close()


def pytest_report_header() -> str:
    """Say at the top of the run whether Redis takes part."""
    if REDIS_PROGRAM is not None:
        return f"store tests: embedded Valkey, and Redis at {REDIS_PROGRAM}"
    if REDIS_REQUIRED:
        return "store tests: no redis-server found, and FIELDBOOK_REQUIRE_REDIS=1: its tests will fail"
    return "store tests: embedded Valkey only; no redis-server found, the tests on Redis are left out"


@pytest.fixture(scope="session")
def running_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStore]:
    """Run one embedded Valkey for the whole test process."""
    with RunningStore(tmp_path_factory.mktemp("valkey")) as running:
        yield running


@pytest.fixture(scope="session")
def redis_url(running_store: RunningStore) -> str:
    """Return the address of the embedded Valkey."""
    return running_store.url


@pytest.fixture(scope="session")
def debian_redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run Debian's redis-server for the whole test process and yield its address."""
    if REDIS_PROGRAM is None:
        if REDIS_REQUIRED:
            pytest.fail("FIELDBOOK_REQUIRE_REDIS=1, and there is no redis-server on the path")
        pytest.skip("no redis-server on the path")
    with RunningStore(tmp_path_factory.mktemp("redis"), program=REDIS_PROGRAM) as running:
        yield running.url


@pytest.fixture
def store(redis_url: str) -> Iterator[RedisEventStore]:
    """Open a fresh store on the emptied embedded Valkey."""
    yield from opened(redis_url)


@pytest.fixture
def store_environment(running_store: RunningStore, store: RedisEventStore) -> dict[str, str]:
    """Return the environment in which another process finds the store of this test."""
    store.ping()
    return dict(running_store.environment)
