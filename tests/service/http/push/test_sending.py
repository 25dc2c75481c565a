"""Sending streams over connections that were handed over, on real sockets: framing, order, and bounds."""

import socket
import time
from collections.abc import Callable, Iterator
from threading import Event, Timer

import pytest

from service.http.push import outbox as outboxes
from service.http.push import stream_limits
from service.http.push.outbox import Outbox
from service.http.push.sending import LAST_CHUNK, Connection, Sender

FAR = 3600.0
FRAMES = [b"data: %d\n\n" % number for number in range(500)]
Open = Callable[..., tuple[socket.socket, Outbox, Event]]


@pytest.fixture(params=[socket.AF_UNIX, socket.AF_INET], ids=["unix", "tcp"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """What opens a connection: returns the client's end, what is sent to it, and what is set once it is closed."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.1)
    sender = Sender(lambda _now: None)
    clients = []

    def connect(*, is_chunked: bool) -> tuple[socket.socket, Outbox, Event]:
        client, server = pair(request.param)
        client.settimeout(30)
        clients.append(client)
        outbox, closed = Outbox(time.monotonic() + FAR), Event()
        sender.send(Connection(server, outbox, closed.set, is_chunked=is_chunked))
        return client, outbox, closed

    yield connect
    sender.close()
    for client in clients:
        client.close()


def pair(family: socket.AddressFamily) -> tuple[socket.socket, socket.socket]:
    """The two ends of a connection."""
    if family == socket.AF_UNIX:
        return socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        return client, listener.accept()[0]


def everything(client: socket.socket) -> bytes:
    """All that comes up to the end."""
    found = b""
    while part := client.recv(65536):
        found += part
    return found


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
def test_frames_arrive_whole_and_in_order(opened: Open, *, is_chunked: bool) -> None:
    """In valid chunks, or as they are for HTTP/1.0; then the connection is closed, and that is said."""
    client, outbox, closed = opened(is_chunked=is_chunked)
    for frame in FRAMES:
        outbox.put(frame)
    outbox.end(b"event: end\n\n")
    outbox.put(b"too late")
    sent = everything(client)
    assert (without_chunks(sent) if is_chunked else sent) == b"".join(FRAMES) + b"event: end\n\n"
    assert closed.wait(30)
    assert outbox.sent == len(b"".join(FRAMES)) + len(b"event: end\n\n")


def test_a_client_that_reads_slowly_gets_everything(opened: Open) -> None:
    """Much more than a connection holds; other clients do not wait for it."""
    client, outbox, _ = opened(is_chunked=True)
    other, others, _ = opened(is_chunked=False)
    frames = [bytes([65 + number % 26]) * 100_000 for number in range(100)]
    for frame in frames:
        outbox.put(frame)
    outbox.end()
    others.put(b"at once")
    assert other.recv(100) == b"at once"
    assert without_chunks(everything(client)) == b"".join(frames)


def test_a_client_that_takes_nothing_is_given_up(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `STALLED_SECONDS`; one that has nothing to take is not, and neither is one that takes a little."""
    monkeypatch.setattr(stream_limits, "STALLED_SECONDS", 1.0)
    _stalled, full, closed = opened(is_chunked=True)
    slow, slows, slow_closed = opened(is_chunked=True)
    _idle, _, idle_closed = opened(is_chunked=True)
    for each in (full, slows):
        each.put(b"x" * 30_000_000)
    deadline = time.monotonic() + 30
    while not closed.wait(0.05) and time.monotonic() < deadline:
        slow.recv(1_000_000)
    assert closed.is_set()
    assert not slow_closed.is_set()
    assert not idle_closed.is_set()


def test_a_client_that_goes_away_is_noticed(opened: Open) -> None:
    """Without anything being sent to it, and whatever it had sent before."""
    client, _, closed = opened(is_chunked=True)
    client.sendall(b"GET / HTTP/1.1\r\n\r\n")
    assert not closed.wait(0.3)
    client.close()
    assert closed.wait(30)


def test_an_end_comes_to_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the sender is closed, ended streams have their last chunk, and a full one holds nobody up."""
    sender = Sender(lambda _now: None)
    clients = []
    for waiting in (b"", b"x", b"x" * 30_000_000):
        client, server = socket.socketpair()
        outbox, closed = Outbox(time.monotonic() + FAR), Event()
        sender.send(Connection(server, outbox, closed.set, is_chunked=True))
        outbox.put(waiting)
        outbox.end()
        clients.append((client, closed))
    began = time.monotonic()
    sender.close()
    assert time.monotonic() - began < 20
    ends = [everything(client)[-len(LAST_CHUNK) :] for client, _ in clients]
    assert ends == [LAST_CHUNK, LAST_CHUNK, b"xxxxx"]
    assert all(closed.is_set() for _, closed in clients)
    for client, _ in clients:
        client.close()


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
