"""The store's settings, read by a real Valkey and looked at as every process does when it starts."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import connect
from service.server.store_process import server_program
from service.storage.durability import check_server
from service.storage.levels import Durability
from tests.deploy.files import DEPLOY
from tests.support.servers import eventually

SETTINGS = DEPLOY / "valkey" / "valkey.conf"
PASSWORD = "as-in-the-compose-file"


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[RedisConnection]:
    """A server with these settings and a password, but for where it listens and writes."""
    socket, settings = tmp_path / "socket", tmp_path / "valkey.conf"
    settings.write_text(SETTINGS.read_text(encoding="utf-8").replace("dir /data", f'dir "{tmp_path}"'))
    here = ["--port", "0", "--unixsocket", str(socket), "--requirepass", PASSWORD]
    program = server_program()
    assert program is not None
    running = subprocess.Popen([program, settings, *here], stdout=subprocess.DEVNULL)
    try:
        eventually(socket.exists)
        connection = connect(f"unix://:{PASSWORD}@{socket}")
        yield connection
        connection.close()
    finally:
        running.terminate()
        running.wait()


def test_it_keeps_what_the_level_promises(connection: RedisConnection) -> None:
    """The check of every start finds nothing too weak, and memory has a bound beyond which nothing is thrown away."""
    check_server(connection, Durability.FSYNC, trust=False)

    found = {
        name: connection.command("CONFIG", "GET", name)[1].decode()
        for name in ("maxmemory", "save", "no-appendfsync-on-rewrite", "protected-mode")
    }
    assert found == {
        "maxmemory": str(1 << 30),
        "save": "",
        "no-appendfsync-on-rewrite": "no",
        "protected-mode": "yes",
    }
