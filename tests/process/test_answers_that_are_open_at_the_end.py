"""A web process ends without an error in its log while answers are open."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import Service
from tests.support.servers import eventually

ANSWERS_OF_EACH_KIND: Final = 20


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service that the test may stop."""
    with Service(tmp_path) as running:
        running.start("store", "web")
        running.await_ready()
        yield running


def ask(service: Service, path: str, accept: str, token: str) -> socket.socket:
    """Send a request whose answer is not read."""
    connection = socket.socket()
    # The smaller this is, the less of an answer leaves the server.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", service.port))
    head = (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    connection.sendall(head.encode())
    return connection


def test_a_web_process_ends_without_an_error_while_answers_are_open(service: Service) -> None:
    """Streams, requests that wait for news and downloads are open, and more downloads have just begun."""
    party = service.people(3)
    party.play(40)
    version = service.api.call("GET", f"/v1/games/{party.game}").json["version"]
    game, token = f"/v1/games/{party.game}", party.tokens[0]
    streams = [(f"{game}/events", "text/event-stream")]
    waiting = [(f"{game}/events?after={version}&wait=60", "*/*"), (f"{game}?after={version}&wait=60", "*/*")]
    downloads = [(f"{game}/record", "*/*"), (f"{game}/events", "application/x-ndjson")]
    with ExitStack() as held:

        def open_all(requests: list[tuple[str, str]]) -> list[socket.socket]:
            return [
                held.enter_context(closing(ask(service, path, accept, token)))
                for _ in range(ANSWERS_OF_EACH_KIND)
                for path, accept in requests
            ]

        begun = open_all([*streams, *downloads])
        eventually(lambda: all(each.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200" for each in begun))
        open_all([*waiting, *downloads])
        assert service.stop("web") == 0
    log = (service.folder / "web.log").read_text()
    for word in ("Traceback", "RuntimeError", "never retrieved", "ERROR"):
        assert word not in log, log[-4000:]
