"""Requests that wait for a thread: those of lost connections are dropped, and the queue of an address is bounded.

Source: issue 43 (reads of one address delay no other one), docs/limits.md. The store is stopped, so that reads wait.
"""

import os
import re
import select
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.processes import Service, descendants

READ = b"GET /v1/tournaments HTTP/1.1\r\nHost: here\r\n\r\n"
WAITING = 1_000
"""Requests of one address that wait at most."""
SURPLUS = 100
"""More than the requests of one address that are worked on at once."""


@pytest.fixture
def single(tmp_path: Path) -> Iterator[Service]:
    """Yield a service with one web process behind a proxy that names each client."""
    with Service(tmp_path) as running:
        running.start(
            "store", "web", WEB_PROCESSES="1", FIELDBOOK_LIMITS="off", FIELDBOOK_TRUSTED_PROXIES="1"
        )
        running.await_ready()
        yield running


@contextmanager
def stopped(service: Service, name: str) -> Iterator[None]:
    """Stop the processes of this name, and continue them at the end."""
    first = service.process_id(name)
    processes = [first, *descendants(first)]
    for each in processes:
        os.kill(each, signal.SIGSTOP)
    try:
        yield
    finally:
        for each in processes:
            os.kill(each, signal.SIGCONT)


def send(service: Service, request: bytes) -> socket.socket:
    """Send a request; its answer is not read."""
    client = socket.create_connection(("127.0.0.1", service.port), timeout=60)
    client.sendall(request)
    return client


def send_and_reset(service: Service, request: bytes) -> None:
    """Send a request, and reset the connection."""
    with closing(send(service, request)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def reads_answered(service: Service) -> int:
    """Return how many reads of the list the service has answered, with any status."""
    text = service.api.call("GET", "/metrics").body.decode()
    lines = re.findall(
        r'^fieldbook_request_seconds_count\{.*route="/v1/tournaments".*\} (\S+)$', text, re.MULTILINE
    )
    return int(sum(map(float, lines)))


def test_reads_of_lost_connections_are_dropped(single: Service) -> None:
    """Only those that a thread already works on are answered."""
    with stopped(single, "store"):
        for _ in range(WAITING // 2):
            send_and_reset(single, READ)
        with closing(send(single, READ)) as later:
            assert later.recv(12) == b"HTTP/1.1 503"
    assert reads_answered(single) < SURPLUS


def test_a_full_queue_is_refused_with_retry_after(single: Service) -> None:
    """A client that closes after each request fills the queue of its address, and no other one's."""
    with stopped(single, "store"):
        # All arrive at once, so that none is answered before the last one is there.
        with stopped(single, "web"):
            for _ in range(WAITING + SURPLUS):
                send(single, READ).close()
            last = send(single, READ)
        with closing(last) as refused:
            answer = b"".join(iter(lambda: refused.recv(65536), b""))
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 "), answer
        assert b"application/problem+json" in head
        assert re.search(rb"\r\nRetry-After: [1-9]", head)
        assert b'"too_many_waiting"' in body
        other = READ.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 203.0.113.1\r\nConnection: close\r\n\r\n")
        with closing(send(single, other)) as others:
            assert b"too_many_waiting" not in b"".join(iter(lambda: others.recv(65536), b""))


def test_a_process_that_ends_starts_no_waiting_requests(single: Service) -> None:
    """It ends without an error in its log, even with a full queue."""
    with stopped(single, "store"):
        for _ in range(WAITING // 2):
            send(single, READ).close()
        assert single.stop("web") == 0
    assert "Error" not in single.log("web")


def test_liveness_does_not_wait_for_readiness(single: Service) -> None:
    """`/healthz` needs no store, so it is answered while the other probes of its address wait for the store."""
    with stopped(single, "store"):
        slow = [
            send(single, f"GET {path} HTTP/1.1\r\nHost: here\r\nX-Forwarded-For: {address}\r\n\r\n".encode())
            for address in ("203.0.113.1", "203.0.113.2", "127.0.0.1")
            for path in ("/readyz", "/metrics")
        ]
        with closing(send(single, b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")) as alive:
            assert alive.recv(12) == b"HTTP/1.1 200"
        answered, _, _ = select.select(slow, [], [], 0)
        assert not answered
        for each in slow:
            each.close()
