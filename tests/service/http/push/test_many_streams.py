"""Many streams in one process of few threads, over real connections: what they bring, and how they end."""

import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import pytest

from service.access.game_access import GamePolicy
from tests.support import processes
from tests.support.http_play import events_of
from tests.support.processes import Service
from tests.support.recorded_games import recorded_game
from tests.support.servers import eventually

STREAMS: Final = 300
SAY: Final = {"type": "say", "text": "hello"}
FEW_THREADS: Final = "from service.server import web_process as web; web.THREADS = 2; web.serve()"
IMPATIENT: Final = (
    "from service.http.push import stream_limits as limits; "
    "limits.STALLED_SECONDS = 1.0; limits.HEARTBEAT_SECONDS = 1.0; " + FEW_THREADS
)
LAST_CHUNK: Final = b"0\r\n\r\n"
SLACK_SECONDS: Final = 60.0
"""What a machine that has much else to do may add."""


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Yield a service with one web process of two threads."""
    monkeypatch.setitem(processes.COMMANDS, "web", ("-c", FEW_THREADS))
    with Service(tmp_path) as service:
        service.environment |= {"WEB_PROCESSES": "1", "FIELDBOOK_LIMITS": "streams=1000/60"}
        yield service


class Client:
    """A connection with one stream, read as bytes."""

    def __init__(
        self, port: int, game: str, *, method: str = "GET", version: str = "1.1", more: str = ""
    ) -> None:
        """Ask for it."""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.sendall(
            f"{method} /v1/games/{game}/events HTTP/{version}\r\nHost: localhost\r\n"
            f"Accept: text/event-stream\r\n{more}\r\n".encode()
        )
        self.found = b""

    def await_text(self, text: bytes) -> None:
        """Read until this has come."""
        while text not in self.found:
            part = self.socket.recv(65536)
            assert part, self.found[-300:]
            self.found += part

    def rest(self) -> bytes:
        """All that was read and comes up to the end."""
        while part := self.socket.recv(65536):
            self.found += part
        return self.found

    def close(self) -> None:
        """Go away."""
        self.socket.close()


def test_hundreds_of_streams_need_no_threads(service: Service) -> None:
    """Two threads answer commands while 300 streams are open and 20 clients have connected and ask nothing.

    Each stream brings the view and what happens; told to stop, the process ends them properly, and itself soon.
    """
    service.start("store", "web")
    service.await_ready()
    party = service.people(seed=3)
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=60))
        opened = [stack.enter_context(closing(Client(service.port, party.game))) for _ in range(STREAMS)]
        for client in opened:
            client.await_text(b"event: view")
        assert service.api.call("GET", "/readyz").json["streams"] == STREAMS
        for _ in range(3):
            assert party.send(1, SAY).status == 200
        last = service.api.call("GET", f"/v1/games/{party.game}").json["version"]
        for client in opened:
            client.await_text(f"id: {last}-".encode())
            assert client.found.count(b"event: talked") == 3
        began = time.monotonic()
        service.signal("web", signal.SIGTERM)
        assert {client.rest()[-len(LAST_CHUNK) :] for client in opened} == {LAST_CHUNK}
        assert service.await_end("web") in {0, -signal.SIGTERM}
        assert time.monotonic() - began < SLACK_SECONDS


def test_every_version_of_http_is_answered_in_its_way(service: Service) -> None:
    """1.1 in chunks, on a connection that is closed at the end; 1.0 without them; HEAD with the headers alone."""
    service.start("store", "web")
    service.await_ready()
    party = service.people(seed=3)
    with closing(HTTPConnection("127.0.0.1", service.port, timeout=60)) as connection:
        path = f"/v1/games/{party.game}/events"
        connection.request("GET", path, headers={"Accept": "text/event-stream"})
        answer = connection.getresponse()
        assert (answer.getheader("Transfer-Encoding"), answer.getheader("Connection")) == ("chunked", "close")
        assert answer.readline() == b"retry: 1000\n"
        party.send(1, SAY)
        while answer.readline() != b"event: talked\n":
            pass
        answer.close()
    with closing(Client(service.port, party.game, version="1.0")) as old:
        old.await_text(b"event: view")
        head, _, body = old.found.partition(b"\r\n\r\n")
        assert b"chunked" not in head
        assert body.startswith(b"retry: 1000\n\nid: ")
    with closing(Client(service.port, party.game, method="HEAD", more="Connection: close\r\n")) as headers:
        head, _, body = headers.rest().partition(b"\r\n\r\n")
        assert (b"text/event-stream" in head, body) == (True, b"")
    eventually(lambda: bool(service.api.call("GET", "/readyz").json["streams"] == 0))


@pytest.mark.skipif(sys.platform != "linux", reason="how much a connection holds is known for Linux only")
def test_a_client_that_takes_nothing_comes_back_without_loss(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection is closed; from the last event that it has, it gets the rest."""
    monkeypatch.setitem(processes.COMMANDS, "web", ("-c", IMPATIENT))
    service.start("store")
    eventually((service.folder / "data" / "store").exists)
    with closing(service.open_store()) as store:
        played = recorded_game(1)
        game = played.table.game
        private = {"secret": played.table.secret, **GamePolicy().private_fields()}
        store.append(game, played.log, expected_version=0, command_id="t", fingerprint="t", private=private)
    service.start("web")
    service.await_ready()
    found: list[int] = []
    closed = 0
    while len(found) < len(played.log):
        with closing(narrow(service.port)) as client:
            last = f"Last-Event-ID: {found[-1]}\r\n" if found else ""
            query = "" if found else "?after=0"
            asked = f"GET /v1/games/{game}/events{query} HTTP/1.0\r\nHost: x\r\n{last}"
            client.sendall(f"{asked}Accept: text/event-stream\r\n\r\n".encode())
            if closed < 2:
                eventually(lambda: bool(service.api.call("GET", "/readyz").json["streams"] == 1), seconds=60)
                eventually(lambda: bool(service.api.call("GET", "/readyz").json["streams"] == 0), seconds=60)
                closed += 1
            taken = b""
            try:
                while part := client.recv(65536):
                    taken += part
            except ConnectionResetError:
                pass
            blocks = taken.split(b"\n\n")[:-1]
            found += [int(block[4:].partition(b"-")[0]) for block in blocks if block.startswith(b"id: ")]
    assert closed == 2
    assert found == list(range(1, len(played.log) + 1))


def narrow(port: int) -> socket.socket:
    """A connection that holds little: small segments make for small buffers at both ends."""
    client = socket.socket()
    client.settimeout(60)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    client.connect(("127.0.0.1", port))
    return client


def test_streams_outlive_a_restart_of_the_store(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is away they say that they are there; afterwards each brings what has happened, nothing missing."""
    monkeypatch.setitem(processes.COMMANDS, "web", ("-c", IMPATIENT))
    service.start("store", "web")
    service.await_ready()
    party = service.people(seed=3)
    with ExitStack() as stack:
        opened = [stack.enter_context(closing(Client(service.port, party.game))) for _ in range(20)]
        for client in opened:
            client.await_text(b"event: view")
        begun = len(events_of(service.api, party.game))
        for _ in range(2):
            party.send(1, SAY)
            service.stop("store")
            for client in opened:
                client.found = client.found.replace(b": still here", b"")
                client.await_text(b": still here")
            service.start("store")
            service.await_ready()
            party.send(1, SAY)
        last = begun + 4
        for client in opened:
            client.await_text(f"id: {last}-".encode())
            told = [each for each in range(begun + 1, last + 1) if f"id: {each}-".encode() in client.found]
            assert told == list(range(begun + 1, last + 1))
            assert client.found.count(b"event: talked") == 4
