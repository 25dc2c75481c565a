"""What a request leaves behind once it is answered: nothing that somebody would have to look for."""

import gc
import io
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import Event
from typing import Any, Final

import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from werkzeug.exceptions import ClientDisconnected

from service.server.arrival import Arrival
from service.server.web_connection import BoundedConnection
from service.server.wsgi_bridge import Application
from tests.support.own_server import SECONDS, OwnServer
from tests.support.servers import eventually

ASK: Final = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nbody"
IN_TURN: Final = 3
"""Requests of a client one after the other, and as many at once."""


def answer_whole(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Say how long it is."""
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body) + 1))])
    return [body, b"\n"]


def answer_in_parts(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Say nothing of the length."""
    start_response("200 OK", [])
    return iter(io.BytesIO(environ["wsgi.input"].read() + b"\n"))


@pytest.fixture
def _nobody_collects() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_nobody_collects")
@pytest.mark.parametrize("application", [answer_whole, answer_in_parts])
def test_an_answered_request_leaves_nothing_to_collect(application: Application) -> None:
    """Neither while its connection stays nor after that: a process looks for such things seldom."""
    with OwnServer(application) as server:
        client = server.connect()
        for _ in range(IN_TURN):
            client.sendall(ASK)
            await_answers(client, 1)
        client.sendall(ASK * IN_TURN)
        await_answers(client, IN_TURN)
        eventually(lambda: count(Arrival) <= 1 and count(RequestResponseCycle) <= 1)
        client.close()
        eventually(lambda: not count(Arrival, RequestResponseCycle, BoundedConnection))


@pytest.mark.usefixtures("_nobody_collects")
def test_a_lost_connection_leaves_nothing_to_collect() -> None:
    """Whether it is lost in the middle of a body, behind a request that is answered yet, or of an answer."""
    began, may_answer = Event(), Event()

    def answer_late(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        began.set()
        assert may_answer.wait(SECONDS)
        start_response("200 OK", [])
        with suppress(ClientDisconnected):
            return iter([environ["wsgi.input"].read()] * 1000)
        return []

    with OwnServer(answer_late) as server:
        server.connect(ASK[:-1]).close()
        server.connect(ASK * IN_TURN).close()
        for more in (b"", ASK):
            client = server.connect(ASK)
            assert began.wait(SECONDS)
            client.sendall(more)
            client.close()
        may_answer.set()
        eventually(lambda: not count(Arrival, RequestResponseCycle, BoundedConnection))


def await_answers(client: socket.socket, number: int) -> None:
    """Read until so many bodies have come."""
    found = b""
    while found.count(b"body\n") < number:
        part = client.recv(65536)
        assert part, found
        found += part


def count(*kinds: type) -> int:
    """How many objects of these kinds there are."""
    return sum(isinstance(each, kinds) for each in gc.get_objects())
