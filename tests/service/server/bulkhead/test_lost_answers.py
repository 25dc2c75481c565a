"""An answer that the process behind the bulkhead does not bring, or not whole."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from threading import Thread
from typing import Any

import pytest

from service.server.bulkhead.bulkhead import Bulkhead
from tests.support.own_server import OwnServer, everything

LONG = b"GET /v1/games/one/record HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"


def answer_here(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """An application."""
    start_response("200 OK", [("Content-Length", "4")])
    return (b"here",)


@pytest.fixture
def bulkhead() -> Iterator[Bulkhead]:
    """One whose process behind works."""
    with closing(Bulkhead()) as made:
        made.beat()
        yield made


@pytest.fixture
def server(bulkhead: Bulkhead) -> Iterator[OwnServer]:
    """A server in front of it."""
    with OwnServer(answer_here, threads=2, connections=10, bulkhead=bulkhead) as started:
        yield started


def take_one(bulkhead: Bulkhead, answer: bytes) -> Thread:
    """Be the process behind for one request, and end after so much of an answer."""

    def take() -> None:
        connection, address = asyncio.run(bulkhead.accept())
        assert address[0] == "127.0.0.1"
        with connection:
            connection.settimeout(10)
            assert connection.recv(65_536).startswith(b"GET /v1/games/one/record HTTP/1.1\r\n")
            connection.sendall(answer)

    thread = Thread(target=take, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (HEAD + b"0123456789", (b"HTTP/1.1 200 OK", b"0123456789")),
        (b"", (b"HTTP/1.1 500 Internal Server Error", b'"code":"internal_error"')),
        (b"HTTP/1.1 200 OK\r\nContent-", (b"HTTP/1.1 500 Internal Server Error", b'"code":"internal_error"')),
        (b"no HTTP at all\r\n\r\n", (b"HTTP/1.1 500 Internal Server Error", b'"code":"internal_error"')),
        (HEAD + b"01234", (b"HTTP/1.1 200 OK", b"01234")),
    ],
    ids=["whole", "nothing", "half a head", "nonsense", "half a body"],
)
def test_what_is_lost_before_its_head_is_a_problem_and_afterwards_is_cut_off(
    server: OwnServer, bulkhead: Bulkhead, sent: bytes, answered: tuple[bytes, bytes]
) -> None:
    """Nobody takes a part of an answer for all of it: the length that was promised is not reached."""
    taking = take_one(bulkhead, sent)
    head, _, body = everything(server.connect(LONG)).partition(b"\r\n\r\n")
    taking.join(10)
    assert head.startswith(answered[0])
    assert answered[1] in body
    assert body == sent.partition(b"\r\n\r\n")[2] or b"500" in head


def test_a_process_that_says_nothing_is_asked_nothing(server: OwnServer, bulkhead: Bulkhead) -> None:
    """Nor one to which no more connections can be handed over: the process that was asked answers by itself."""
    while (held := bulkhead.connect(("127.0.0.1", 1))) is not None:
        held.close()
    assert everything(server.connect(LONG)).endswith(b"\r\n\r\nhere")
    with closing(Bulkhead()) as silent, OwnServer(answer_here, bulkhead=silent) as alone:
        assert everything(alone.connect(LONG)).endswith(b"\r\n\r\nhere")
