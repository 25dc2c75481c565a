"""How many connections a web process holds, and how long a body may take: one step beyond, with small figures."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Thread

import pytest
import uvloop

from service.server import web_connection
from service.server.web_server import WebServer, accept_at
from service.server.wsgi_bridge import Application
from tests.service.in_process import InProcess

PATIENCE = 30.0
"""Seconds that a machine which has much else to do may take."""
ASK = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
Connect = Callable[[], socket.socket]


@contextmanager
def serving(application: Application, connections: int) -> Iterator[Connect]:
    """Serve with so many connections at most, and make one at each call."""
    listener = socket.create_server(("127.0.0.1", 0))
    loop, stopping = uvloop.new_event_loop(), asyncio.Event()
    # Each from an address of its own, so that no share of one address is the matter.
    addresses = (f"127.0.0.{number}" for number in range(2, 200))

    def serve() -> None:
        server = WebServer(application, threads=2, connections=connections)
        loop.run_until_complete(
            server.serve([accept_at(listener)], stopping, beat=int, end_streams=int, stop_seconds=5.0)
        )
        loop.close()

    thread = Thread(target=serve)
    thread.start()
    try:
        yield lambda: socket.create_connection(listener.getsockname(), PATIENCE, (next(addresses), 0))
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE)
        listener.close()
        assert not thread.is_alive()


def test_one_connection_more_waits_until_another_ends(api: InProcess) -> None:
    """It is not refused: its request is answered when there is room."""
    with (
        serving(api.app, connections=2) as connect,
        closing(connect()) as first,
        closing(connect()) as second,
        closing(connect()) as third,
    ):
        for held in (first, second):
            held.sendall(ASK)
            assert held.recv(65536).startswith(b"HTTP/1.1 200 ")
        third.sendall(ASK)
        third.settimeout(0.5)
        with pytest.raises(TimeoutError):
            third.recv(1)
        first.close()
        third.settimeout(PATIENCE)
        assert third.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_body_that_takes_too_long_is_cut_off(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request is answered though it is not there whole, and the connection ends."""
    monkeypatch.setattr(web_connection, "BODY_SECONDS", 0.2)
    party = api.people()
    head = (
        f"POST /v1/games/{party.game}/commands HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {party.tokens[0]}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    found = b""
    with serving(api.app, connections=10) as connect, closing(connect()) as slow:
        slow.sendall(head.encode())
        while part := slow.recv(65536):
            found += part
    assert found.startswith(b"HTTP/1.1 400 ")
    assert b"body_cut_off" in found
