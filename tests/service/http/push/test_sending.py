"""Sending streams from their outboxes, on real sockets: framing, order, and bounds."""

import gc
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import Queue
from threading import Event, Timer
from typing import Any, Final
from unittest.mock import Mock

import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from werkzeug.wsgi import ClosingIterator

from service.http.follow.detaching import OFFER
from service.http.push import outbox as outboxes
from service.http.push import stream_limits
from service.http.push.outbox import Outbox
from service.http.push.stream_sending import SENT_AT_ONCE, OpenStreams
from service.server.arrival import Arrival
from service.server.web_connection import BoundedConnection
from tests.support.own_server import OwnServer, everything
from tests.support.servers import eventually

FAR = 3600.0
FRAMES = [b"data: %d\n\n" % number for number in range(500)]
CONNECTIONS: Final = 100
LAST_CHUNK: Final = b"0\r\n\r\n"


@dataclass
class Sent:
    """One stream: the client's end, what is sent to it, and what is set once it is closed."""

    client: socket.socket
    outbox: Outbox
    closed: Event

    def frames(self) -> bytes:
        """Everything that comes to its end, without the answer's head."""
        head, _, body = everything(self.client).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        assert b"\r\nconnection: close" in head
        return body


class Sender(OwnServer):
    """The server, with an application that answers every request with a stream of its own."""

    def __init__(self) -> None:
        self._begun: Queue[tuple[Outbox, Event]] = Queue()
        super().__init__(self._answer, connections=CONNECTIONS)

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        outbox, closed = Outbox(time.monotonic() + FAR), Event()
        environ[OFFER].outbox = outbox
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        self._begun.put((outbox, closed))
        return ClosingIterator(iter(()), [closed.set])

    def open(self, *, is_chunked: bool, more: bytes = b"") -> Sent:
        """A stream in chunks, or as HTTP/1.0 has it; with the request comes `more`."""
        version = b"1.1" if is_chunked else b"1.0"
        client = self.connect(b"GET / HTTP/" + version + b"\r\nHost: here\r\n\r\n" + more)
        return Sent(client, *self._begun.get(timeout=30))


@pytest.fixture
def sender(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sender]:
    """A server of streams."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.1)
    with Sender() as server:
        yield server


def without_chunks(sent: bytes) -> bytes:
    """What was framed in chunks (RFC 9112, section 7.1), which must be whole and end with the last one."""
    found = b""
    while True:
        size, _, sent = sent.partition(b"\r\n")
        length = int(size, 16)
        assert sent[length : length + 2] == b"\r\n"
        found += sent[:length]
        sent = sent[length + 2 :]
        if not length:
            assert sent == b""
            return found


@pytest.mark.parametrize("is_chunked", [True, False])
def test_frames_arrive_whole_and_in_order(sender: Sender, *, is_chunked: bool) -> None:
    """In valid chunks, or as they are for HTTP/1.0; then the connection is closed, and that is said."""
    sent = sender.open(is_chunked=is_chunked)
    for frame in FRAMES:
        sent.outbox.put(frame)
    sent.outbox.end(b"event: end\n\n")
    sent.outbox.put(b"too late")
    body = sent.frames()
    assert (without_chunks(body) if is_chunked else body) == b"".join(FRAMES) + b"event: end\n\n"
    assert sent.closed.wait(30)
    assert sent.outbox.sent == len(b"".join(FRAMES)) + len(b"event: end\n\n")


def test_a_client_that_reads_slowly_gets_everything(sender: Sender) -> None:
    """Much more than a connection holds; other clients do not wait for it."""
    slow, other = sender.open(is_chunked=True), sender.open(is_chunked=False)
    frames = [bytes([65 + number % 26]) * 100_000 for number in range(100)]
    for frame in frames:
        slow.outbox.put(frame)
    slow.outbox.end()
    other.outbox.put(b"at once")
    found = b""
    while not found.endswith(b"at once"):
        found += other.client.recv(1000)
    assert without_chunks(slow.frames()) == b"".join(frames)


def test_a_client_that_takes_nothing_is_given_up(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `STALLED_SECONDS`; one that has nothing to take is not, and neither is one that takes a little."""
    monkeypatch.setattr(stream_limits, "STALLED_SECONDS", 1.0)
    full, slow, idle = (sender.open(is_chunked=True) for _ in range(3))
    for each in (full, slow):
        each.outbox.put(b"x" * 30_000_000)
        each.outbox.put(b"more")
    deadline = time.monotonic() + 30
    while not full.closed.wait(0.05) and time.monotonic() < deadline:
        slow.client.recv(1_000_000)
    assert full.closed.is_set()
    assert not slow.closed.is_set()
    assert not idle.closed.is_set()


def test_a_client_that_goes_away_is_noticed(sender: Sender) -> None:
    """Without anything being sent to it, and whatever it had sent before."""
    sent = sender.open(is_chunked=True, more=b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    assert not sent.closed.wait(0.3)
    sent.client.close()
    assert sent.closed.wait(30)


def test_a_stream_holds_nothing_of_its_request(sender: Sender) -> None:
    """Neither its parser and headers, nor a request that came after it."""
    gc.collect()
    after = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhal"
    for more in (b"", after) * 3:
        sent = sender.open(is_chunked=True, more=more)
        sent.outbox.put(b"data: 1\n\n")
        assert sent.client.recv(10_000).startswith(b"HTTP/1.1 200 ")
    of_requests = (BoundedConnection, Arrival, RequestResponseCycle)
    eventually(lambda: not any(isinstance(each, of_requests) for each in gc.get_objects()))


def test_streams_take_no_places_of_other_connections(sender: Sender) -> None:
    """However many there are, and each is heard."""
    opened = [sender.open(is_chunked=False) for _ in range(CONNECTIONS + 20)]
    for each in opened:
        each.outbox.end(b"at once")
    assert {each.frames() for each in opened} == {b"at once"}


def test_requests_are_looked_at_between_streams() -> None:
    """When all streams have something to send at the same time, they are sent to in several goes."""
    due: list[Callable[[], None]] = []
    loop, close_later = Mock(call_soon_threadsafe=due.append, call_soon=due.append), Mock()
    streams, told = OpenStreams(loop, close_later), [Mock() for _ in range(2 * SENT_AT_ONCE + 1)]
    for each in told:
        streams.note(each)
    sent = []
    while due:
        assert len(due) == 1
        due.pop()()
        sent.append(sum(each.send.called for each in told))
    assert sent == [SENT_AT_ONCE, 2 * SENT_AT_ONCE, len(told)]


def test_an_end_comes_to_all_at_once(sender: Sender) -> None:
    """When the server stops, ended streams have their last chunk, and a full one holds nobody up for long."""
    streams = []
    for waiting in (b"", b"x", b"x" * 30_000_000):
        sent = sender.open(is_chunked=True)
        sent.outbox.put(waiting)
        sent.outbox.end()
        streams.append(sent)
    ends = [each.frames()[-len(LAST_CHUNK) :] for each in streams[:2]]
    began = time.monotonic()
    sender.close()
    assert time.monotonic() - began < 20
    assert ends == [LAST_CHUNK, LAST_CHUNK]
    assert all(each.closed.wait(30) for each in streams[:2])


class InParts(Sender):
    """Answers in parts whose length nobody knows."""

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        super()._answer(environ, start_response)
        environ[OFFER].outbox = None
        return iter((b"one ", b"", b"two"))


def test_an_answer_in_parts_comes_whole() -> None:
    """Also where one of them is empty."""
    server = InParts()
    sent = server.open(is_chunked=True, more=b"GET / HTTP/1.0\r\nConnection: close\r\n\r\n")
    found = everything(sent.client)
    server.leave()
    server.close()
    first, _, second = found.partition(b"HTTP/1.1 200 OK\r\n")[2].partition(b"HTTP/1.1 200 OK\r\n")
    assert without_chunks(first.partition(b"\r\n\r\n")[2]) == b"one two"
    assert second.partition(b"\r\n\r\n")[2] == b"one two"


def test_an_outbox_says_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that there is room again; who pulls frames out of it waits for them."""
    monkeypatch.setattr(outboxes, "FULL_BYTES", 10)
    monkeypatch.setattr(outboxes, "ROOM_BYTES", 5)
    outbox = Outbox(time.monotonic() + FAR)
    seen = []
    for _ in range(3):
        outbox.put(b"four")
        seen.append((outbox.has_room, outbox.is_full))
    assert seen == [(True, False), (False, False), (False, True)]
    assert outbox.take() == (b"fourfourfour", False)
    assert (outbox.has_room, outbox.is_full) == (True, False)
    later = Timer(0.2, outbox.end, (b"last",))
    later.start()
    assert b"".join(outbox.parts()) == b"last"
    later.join()
    assert not outbox.has_room
