"""How connections end: after some requests, in the way that HTTP has for it, and at nobody else's cost."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import pytest

from service.http.messages.reading import LARGEST_UPLOAD
from service.server.incoming_body import MOST_ARRIVING, MOST_OF_ONE
from service.server.web_connection import HEAD_SECONDS, IDLE_SECONDS, LEAVE_SECONDS, MOST_REQUESTS
from service.server.web_server import FIRST_REQUESTS, SETTLING_SECONDS
from tests.support.http_play import Party
from tests.support.processes import Service
from tests.support.servers import eventually

LAST: Final = b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
SLACK_SECONDS: Final = 30.0
"""What a machine that has much else to do may add."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service that answers."""
    with Service(tmp_path) as service:
        service.start("store", "web", WEB_PROCESSES="1")
        service.await_ready()
        yield service


def test_a_connection_ends_after_some_requests_and_is_told_so(service: Service) -> None:
    """RFC 9112, section 9.6: the last answer says `Connection: close`. So clients come back to whoever has time.

    The first connections after a start end soon: whoever was ready first had all clients.
    """
    first = lengths_of_connections(service, 3)
    time.sleep(SETTLING_SECONDS)
    lengths_of_connections(service, 1)
    lengths = lengths_of_connections(service, 6)

    assert all(FIRST_REQUESTS // 2 < each <= FIRST_REQUESTS for each in first)
    assert all(MOST_REQUESTS // 2 < each <= MOST_REQUESTS for each in lengths)
    assert len(set(lengths)) > 1, "all clients that began at once would come back at once"


def lengths_of_connections(service: Service, count: int) -> list[int]:
    """How many requests so many connections have had, one after the other."""
    lengths, answered = list[int](), 0
    with closing(HTTPConnection("127.0.0.1", service.port, timeout=60)) as connection:
        while len(lengths) < count:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            assert (answer.status, bool(answer.read())) == (200, True)
            answered += 1
            if answer.will_close:
                assert answer.getheader("Connection") == "close"
                lengths.append(answered)
                answered = 0
    return lengths


def leaving(service: Service) -> socket.socket:
    """A connection that the service has ended, after an answer, and that its client leaves open."""
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=SLACK_SECONDS)
    connection.sendall(LAST)
    found = b""
    while part := connection.recv(65536):
        found += part
    assert found.startswith(b"HTTP/1.1 200 ")
    assert b"\r\nconnection: close\r\n" in found.lower()
    return connection


def is_reset(connection: socket.socket) -> bool:
    """Whether the other side does not listen any more, as far as a byte that is sent to it tells."""
    try:
        connection.sendall(b"x")
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_nobody_waits_for_clients_that_do_not_close_their_connection(service: Service) -> None:
    """RFC 9112, section 9.6: a server waits a while for them to close; here no thread does, and all others go on."""
    with ExitStack() as stack:
        begun = time.monotonic()
        for _ in range(20):
            stack.enter_context(closing(leaving(service)))
        assert time.monotonic() - begun < 20 * LEAVE_SECONDS / 2


def test_a_connection_that_its_client_does_not_close_is_closed_in_the_end(service: Service) -> None:
    """What comes after the last answer is not read for ever: then the client is told that nobody listens."""
    with closing(leaving(service)) as connection:
        eventually(lambda: is_reset(connection), seconds=LEAVE_SECONDS + SLACK_SECONDS)


def test_a_service_ends_in_time_though_clients_do_not_close_their_connections(service: Service) -> None:
    """They are told that it is over as soon as it is."""
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(closing(leaving(service)))
        begun = time.monotonic()
        assert service.stop("web") == 0
        assert time.monotonic() - begun < SLACK_SECONDS


def answer_to(service: Service, request: bytes) -> bytes:
    """All that comes back to a request that ends its connection."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=SLACK_SECONDS) as connection:
        connection.sendall(request)
        found = b""
        while part := connection.recv(65536):
            found += part
    return found


def test_a_request_names_one_host(service: Service) -> None:
    """RFC 9112, section 3.2: without one, or with two, it is refused; HTTP/1.0 need not name any."""
    for hosts in (b"", b"Host: here\r\nHost: there\r\n"):
        answer = answer_to(service, b"GET /healthz HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert b'"code":"malformed_request"' in answer
    assert b" 200 " in answer_to(service, b"GET /healthz HTTP/1.0\r\n\r\n")[:20]


def begun_command(party: Party) -> bytes:
    """A command whose body is not there yet, but for its first byte."""
    return (
        f"POST /v1/games/{party.game}/commands HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {party.tokens[0]}\r\nContent-Length: 100\r\n\r\n{{"
    ).encode()


def test_clients_that_send_slowly_or_nothing_hold_up_nobody(service: Service) -> None:
    """150 bodies and 300 heads that are half there, and 300 connections without a byte: no thread waits for them."""
    party = service.people(seed=3)
    begun = (*[begun_command(party)] * 150, *[b"GET /v1/games HTTP/1.1\r\nHost: he"] * 300, *[b""] * 300)
    with ExitStack() as stack:
        for part in begun:
            connection = socket.create_connection(("127.0.0.1", service.port), timeout=SLACK_SECONDS)
            stack.enter_context(closing(connection)).sendall(part)
        began = time.monotonic()
        party.play(60)
        assert time.monotonic() - began < HEAD_SECONDS, "they were waited for"


def test_a_body_that_is_cut_off_is_told_of(service: Service) -> None:
    """A client that says in the middle of it that nothing more comes is answered, and nothing is done."""
    party = service.people(seed=3)
    with socket.create_connection(("127.0.0.1", service.port), timeout=SLACK_SECONDS) as connection:
        connection.sendall(begun_command(party))
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while part := connection.recv(65536):
            found += part
    assert found.startswith(b"HTTP/1.1 400 ")
    assert b"body_cut_off" in found


def test_a_client_that_says_that_nothing_more_comes_is_not_kept(service: Service) -> None:
    """It is answered, and the connection is closed at once: there is nothing to wait for."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=SLACK_SECONDS) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        began, found = time.monotonic(), b""
        while part := connection.recv(65536):
            found += part
    assert found.startswith(b"HTTP/1.1 200 ")
    assert time.monotonic() - began < IDLE_SECONDS / 2


def test_requests_that_come_at_once_are_answered_in_their_order(service: Service) -> None:
    """RFC 9112, section 9.3.2: the answers follow one another as the requests did, also with bodies in between."""
    party = service.people(seed=3)
    body = b'{"type": "say", "text": "hello"}'
    say = (
        f"POST /v1/games/{party.game}/commands HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {party.tokens[0]}\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    look = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
    answer = answer_to(service, say + look + say + LAST)
    found = [place for place in (b'"applied":1', b'"alive"') for _ in range(answer.count(place))]
    assert sorted(found) == [b'"alive"', b'"alive"', b'"applied":1', b'"applied":1']
    order = sorted((answer.find(each, at), each) for each in set(found) for at in (0, answer.find(each) + 1))
    assert [each for _, each in order] == [b'"applied":1', b'"alive"', b'"applied":1', b'"alive"']


def test_an_answer_to_an_older_client_has_a_length(service: Service) -> None:
    """HTTP/1.0 knows no chunks: what is sent in pieces to others comes whole, and nothing is framed."""
    party = service.people(seed=3)
    answer = answer_to(service, f"GET /v1/games/{party.game}/record HTTP/1.0\r\n\r\n".encode())
    head, _, record = answer.partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in head.lower()
    assert f"content-length: {len(record)}".encode() in head.lower()
    assert record.startswith(b'{"record":')


UPLOAD: Final = (
    "POST /v1/verifications HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-ndjson\r\n"
    f"Content-Length: {LARGEST_UPLOAD}\r\n\r\n"
).encode()


def test_bodies_from_a_proxy_have_all_the_room(service: Service) -> None:
    """Where one is named every address is its own, and there is no share of one."""
    service.stop("web")
    service.start("web", WEB_PROCESSES="1", FIELDBOOK_TRUSTED_PROXIES="1")
    service.await_ready()
    with ExitStack() as stack:
        for _ in range(MOST_OF_ONE // LARGEST_UPLOAD + 1):
            connection = socket.create_connection(("127.0.0.1", service.port), timeout=SLACK_SECONDS)
            stack.enter_context(closing(connection)).sendall(UPLOAD + b"x" * (LARGEST_UPLOAD - 1))


def test_bodies_have_so_much_room_together(service: Service) -> None:
    """Large ones wait while others take all of it; commands never do, and what is broken off gives its room back."""
    party = service.people(seed=3)
    part = b"x" * (LARGEST_UPLOAD - 1)
    most = MOST_ARRIVING // len(part) + 3
    for _ in range(2):
        with ExitStack() as stack:
            held = 0
            for number in range(most):
                # Of one address there would be room for one of them.
                source = f"127.0.0.{2 + number}", 0
                connection = socket.create_connection(("127.0.0.1", service.port), 2.0, source)
                stack.enter_context(closing(connection)).sendall(UPLOAD)
                try:
                    connection.sendall(part)
                except TimeoutError:
                    held += 1
            assert 0 < held < most
            party.play(5)
