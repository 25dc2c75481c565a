"""What one address may hold of a process: answers that wait for it, connections, and room for what it sends."""

import logging
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from threading import Event
from typing import Any, Final

import pytest

from service.http.messages.reading import LARGEST_UPLOAD
from service.http.push import stream_limits
from service.server import incoming_body, outgoing_answers
from service.server.incoming_body import MOST_ARRIVING, IncomingBody
from tests.support.own_server import OwnServer, everything
from tests.support.servers import eventually

LARGE: Final = 8 * 1024 * 1024
"""Bytes of an answer of which a kernel takes a part only."""
LITTLE: Final = 4096
ANSWER: Final = b"HTTP/1.1 200 OK"
UPLOAD: Final = (
    "POST /v1/verifications HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-ndjson\r\n"
    f"Content-Length: {LARGEST_UPLOAD}\r\n\r\n"
).encode()


def ask(path: str, version: str = "1.1") -> bytes:
    """A request."""
    return f"GET /{path} HTTP/{version}\r\nHost: here\r\n\r\n".encode()


class Answers:
    """An application: large answers at `/large`, at `/parts` some that end once they are let go, else short ones."""

    def __init__(self) -> None:
        self.large = list[bytes]()
        self.released = Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/parts":
            start_response("200 OK", [])
            return self._parts()
        body = b"short"
        if environ["PATH_INFO"] == "/large":
            body = b"x" * LARGE
            self.large.append(body)
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return (body,)

    def _parts(self) -> Iterator[bytes]:
        yield b"first"
        self.released.wait()
        yield b"last"


def is_served(client: socket.socket) -> bool:
    """Whether a short request is answered on a connection."""
    try:
        client.sendall(ask("short"))
        return client.recv(len(ANSWER)) == ANSWER
    except (ConnectionResetError, BrokenPipeError):
        return False


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look ten times a second."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.2)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the answers of four who take nothing, and of two of one address; a kernel takes half of one itself."""
    monkeypatch.setattr(outgoing_answers, "MOST_LEAVING", 4 * LARGE)
    monkeypatch.setattr(outgoing_answers, "MOST_OF_ONE", 2 * LARGE)


@pytest.mark.usefixtures("room")
def test_answers_that_one_address_does_not_take_have_a_share_of_the_room() -> None:
    """Some of its connections are ended, and nobody else's: who takes what was asked for gets it whole."""
    application = Answers()
    with OwnServer(application) as server:
        other = server.connect(ask("large"), source="127.0.0.2", buffer=LITTLE)
        for _ in range(8):
            server.connect(ask("large"), buffer=LITTLE)
        eventually(lambda: len(application.large) == 1 + 8, seconds=30)
        eventually(lambda: server.held <= 1 + 4, seconds=30)
        assert server.held >= 1 + 2
        found = 0
        while found < LARGE:
            found += len(other.recv(1 << 20))
        assert is_served(server.connect())


@pytest.mark.usefixtures("room")
def test_answers_that_nobody_takes_have_so_much_room_together() -> None:
    """Of many addresses each has less than its share: then those end that hold most of all."""
    application = Answers()
    with OwnServer(application) as server:
        for number in range(2, 14):
            server.connect(ask("large"), source=f"127.0.0.{number}", buffer=LITTLE)
        eventually(lambda: len(application.large) == 12, seconds=30)
        eventually(lambda: server.held <= 8, seconds=30)
        assert server.held >= 4


@pytest.mark.usefixtures("room")
def test_behind_a_proxy_no_address_has_a_share() -> None:
    """All come from its address: what they hold is bounded by the whole room alone, and so are connections."""
    application = Answers()
    with OwnServer(application, connections=8, trusted_proxies=1) as server:
        clients = [server.connect(ask("large"), buffer=LITTLE) for _ in range(4)]
        others = [server.connect() for _ in range(4)]
        assert all(map(is_served, others))
        eventually(lambda: len(application.large) == len(clients), seconds=30)
        time.sleep(3 * stream_limits.pause())
        assert server.held == len(clients) + len(others)


@pytest.mark.usefixtures("room")
def test_answers_that_wait_behind_others_count_too() -> None:
    """Of requests that were sent at once the second answer is held beside the first one."""
    application = Answers()
    with OwnServer(application) as server:
        for _ in range(2):
            server.connect(ask("large") * 2, buffer=LITTLE)
        eventually(lambda: len(application.large) == 4, seconds=30)
        eventually(lambda: server.held < 2, seconds=30)


def test_one_address_has_three_quarters_of_the_connections() -> None:
    """A further one is closed at once; others come in, and a connection that ends gives its place back."""
    with OwnServer(Answers(), connections=8) as server:
        held = [server.connect() for _ in range(6)]
        assert all(map(is_served, held))
        assert not is_served(server.connect())
        assert is_served(server.connect(source="127.0.0.2"))
        held[0].close()
        eventually(lambda: is_served(server.connect()), seconds=30)


def test_an_upload_of_one_address_waits_while_others_of_it_have_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another address's goes on; once one has come to its end the next one has room, and in turn all arrive."""
    part = b"x" * (LARGEST_UPLOAD - 1)
    with OwnServer(Answers()) as server:
        first = server.connect(UPLOAD)
        first.sendall(part)
        second = server.connect(UPLOAD)
        second.settimeout(1.0)
        with pytest.raises(TimeoutError):
            second.sendall(part)
        other = server.connect(UPLOAD, source="127.0.0.2")
        for each in (other, first):
            each.sendall(part[-1:] if each is first else part + b"x")
            assert each.recv(len(ANSWER)) == ANSWER
        second.settimeout(30.0)
        second.sendall(b"x")


@pytest.mark.parametrize(("network", "most"), [("192.0.2.1", 1), ("", 4)])
def test_a_large_body_has_room_for_all_of_it_or_waits(network: str, most: int) -> None:
    """So none is stopped half way by others that are; small ones never wait, and what is over gives its room back."""
    path = b"/v1/verifications"
    for _ in range(2):
        bodies = [IncomingBody(path, LARGEST_UPLOAD, network) for _ in range(most + 1)]
        for each in bodies:
            each.put(b"x" * incoming_body.NEVER_HELD)
            assert each.make_room()
            each.put(b"x")
        assert [each.make_room() for each in bodies] == [True] * most + [False]
        bodies[0].close()
        assert bodies[-1].make_room()
        for each in bodies:
            each.close()
    assert MOST_ARRIVING == 4 * LARGEST_UPLOAD


def test_answers_in_parts_leave_threads_to_others() -> None:
    """However many downloads there are; each comes to its end."""
    application = Answers()
    with OwnServer(application) as server:
        downloads = [server.connect(ask("parts")) for _ in range(12)]
        for each in downloads:
            assert each.recv(len(ANSWER)) == ANSWER
        try:
            assert is_served(server.connect())
        finally:
            application.released.set()
        for each in downloads:
            while not each.recv(65536).endswith(b"0\r\n\r\n"):
                pass


def test_what_is_no_request_is_told_of_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    """However many such things are sent, with how many there were."""
    caplog.set_level(logging.INFO, "fieldbook.web")
    with OwnServer(Answers()) as server:
        for _ in range(40):
            everything(server.connect(b"what?\r\n\r\n"))
    lines = [
        each.getMessage() for each in caplog.records if "before there was a request" in each.getMessage()
    ]
    told = [int(each.partition("malformed_request: ")[2].partition(",")[0]) for each in lines]
    assert sum(told) == 40
    assert len(told) < 40
