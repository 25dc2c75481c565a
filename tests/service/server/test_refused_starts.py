"""A store the log cannot live on: every process refuses to start, with one sentence and status 2."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import cycle
from pathlib import Path
from threading import Thread

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.storage.feed_watermarks import FILE
from tests.events.store.server_contract import setting
from tests.support.depth import depth
from tests.support.processes import free_port
from tests.support.servers import ROOT, RunningStore, environment_without_settings
from tests.support.strange_server import StrangeServer

pytestmark = pytest.mark.deep
MODULES = ("service.web", "service.worker", "service.projector", "service.bots")
START_SECONDS = 240
_turns = cycle(MODULES)


def refused(folder: Path, **settings: str) -> list[str]:
    """The sentence with which each process refuses these settings; `make test` asks one process, each in its turn."""
    return refused_by(depth((next(_turns),), MODULES), folder, **settings)


def refused_by(modules: Sequence[str], folder: Path, **settings: str) -> list[str]:
    """Start processes at once with these settings; the sentence of each, which must be all that it says."""
    environment = environment_without_settings() | {
        "FIELDBOOK_DATA": str(folder),
        "FIELDBOOK_DURABILITY": "memory",
        "PORT": str(free_port()),
        **settings,
    }
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", module],
                    cwd=ROOT,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
            )
            for module in modules
        ]
        said = []
        for process in running:
            try:
                output, _ = process.communicate(timeout=START_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            assert process.returncode == 2, output
            said.append(output.strip())
    for sentence in said:
        assert "Traceback" not in sentence
        assert sentence.startswith("Not started. ")
        assert "\n" not in sentence
    return said


@contextmanager
def web_server() -> Iterator[str]:
    """Some HTTP server; yields its address as one of a store."""
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"redis://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("information", "sentence"),
    [
        ("# Server\nredis_version:6.2.14\nrole:master", "it is version 6.2.14: use Redis 7.0 or newer"),
        ("redis_version:7.4.0\ndragonfly_version:df-1.2\nrole:master", "neither Redis nor Valkey"),
    ],
)
def test_another_server_or_one_that_is_too_old(tmp_path: Path, information: str, sentence: str) -> None:
    """Named for what it is, by web, worker, projector and bots alike."""
    with StrangeServer(information) as server:
        for said in refused(tmp_path, REDIS_URL=server.url):
            assert sentence in said


def test_no_store_at_all(tmp_path: Path) -> None:
    """A web server at the store's address, and an address of another kind."""
    with web_server() as url:
        for said in refused_by(MODULES, tmp_path, REDIS_URL=url):
            assert "neither Redis nor Valkey" in said
    for said in refused(tmp_path, REDIS_URL="http://127.0.0.1:1"):
        assert "REDIS_URL must be an address such as redis://HOST:6379/0" in said


def test_a_store_that_throws_games_away_or_keeps_less_than_declared(tmp_path: Path, redis_url: str) -> None:
    """Eviction, and no append-only file; all that is wrong is said at once."""
    connection = RedisConnection(redis_url)
    with setting(connection, "maxmemory-policy", "allkeys-lru"):
        for said in refused(tmp_path, REDIS_URL=redis_url, FIELDBOOK_DURABILITY="fsync"):
            assert "fsync needs `appendonly yes`" in said
            assert "set it to noeviction" in said
    connection.close()


def test_a_time_for_disputes_that_is_none(tmp_path: Path) -> None:
    """Before anything else is looked at."""
    for said in refused(tmp_path, FIELDBOOK_CLAIM_SECONDS="soon"):
        assert "FIELDBOOK_CLAIM_SECONDS must be a number" in said


def test_another_installation(tmp_path: Path, store: RedisEventStore, redis_url: str) -> None:
    """Other partitions than configured, and another one than this data folder has seen."""
    for said in refused(tmp_path, REDIS_URL=redis_url, FIELDBOOK_PARTITIONS="4"):
        assert f"was set up with {store.partitions} partitions" in said
    (tmp_path / FILE).write_text('{"installation": "another", "feeds": {}}')
    with (
        setting(store.connection, "appendfsync", "everysec"),
        setting(store.connection, "appendonly", "yes"),
    ):
        for said in refused(tmp_path, REDIS_URL=redis_url, FIELDBOOK_DURABILITY="local"):
            assert "belongs to installation another" in said
            assert f"remove {tmp_path / FILE}" in said


def test_a_user_who_may_not_load_functions(
    tmp_path: Path, store: RedisEventStore, running_store: RunningStore
) -> None:
    """The sentence says which permission is missing."""
    store.connection.command("ACL", "SETUSER", "guest", "on", ">word", "~*", "&*", "+@all", "-function")
    url = running_store.url.replace("unix://", "unix://guest@") + "?password=word"
    for said in refused(tmp_path, REDIS_URL=url):
        assert "Extend its ACL" in said
    store.connection.command("ACL", "DELUSER", "guest")
