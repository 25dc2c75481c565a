"""A burst of requests from one address delays that address, not players, health checks or other addresses.

Nothing is timed: the web process is stopped until all requests have arrived, and those that arrived after the burst
are answered before most of the burst is.
"""

import os
import select
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Self

import pytest

from tests.support.http_play import Party
from tests.support.processes import Service

BURST = 400
ATTACKER, OTHER, PLAYER = "127.0.0.2", "127.0.0.3", "127.0.0.1"


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a service with one web process, so that all requests meet in it."""
    with Service(tmp_path_factory.mktemp("burst")) as running:
        running.start("store", "web", WEB_PROCESSES="1", FIELDBOOK_LIMITS="off")
        running.await_ready()
        yield running


@pytest.fixture(scope="module")
def party(single: Service) -> Party:
    """Return a game that has been played for a while."""
    found = single.people(seed=1)
    found.play(most=60)
    return found


class Burst:
    """Requests on a connection each, all of which arrive before the service reads the first."""

    def __init__(self, service: Service) -> None:
        """Send to this service."""
        self._service = service
        self._clients = ExitStack()
        self._unsent: list[tuple[socket.socket, bytes]] = []

    def __enter__(self) -> Self:
        """Return the burst."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        self._clients.close()

    def add(self, line: str, source: str, headers: str = "", body: str = "") -> socket.socket:
        """Connect from this address, for a request to send."""
        client = self._clients.enter_context(closing(socket.socket()))
        client.settimeout(60)
        client.bind((source, 0))
        client.connect(("127.0.0.1", self._service.port))
        length = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        request = f"{line} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{headers}{length}\r\n{body}"
        self._unsent.append((client, request.encode()))
        return client

    def send(self) -> None:
        """Send all requests in their order while the service is stopped, and let it continue."""
        processes = self._service.children("web")
        for each in processes:
            os.kill(each, signal.SIGSTOP)
        try:
            for client, request in self._unsent:
                client.sendall(request)
        finally:
            for each in processes:
                os.kill(each, signal.SIGCONT)


def answer_of(client: socket.socket) -> bytes:
    """Return the whole answer."""
    return b"".join(iter(lambda: client.recv(65_536), b""))


def answered(clients: Sequence[socket.socket]) -> int:
    """Return how many of these have the beginning of an answer."""
    found = select.poll()
    for each in clients:
        found.register(each, select.POLLIN)
    return len(found.poll(0))


def say(burst: Burst, party: Party, seat: int, source: str) -> socket.socket:
    """Add a seat's command."""
    token = f"Authorization: Bearer {party.tokens[seat]}\r\n"
    return burst.add(f"POST /v1/games/{party.game}/commands", source, token, '{"type":"say","text":"hello"}')


@pytest.mark.parametrize("source", [PLAYER, ATTACKER])
def test_commands_and_health_checks_do_not_wait_for_reads(single: Service, party: Party, source: str) -> None:
    """Not even for those of their own address; and all reads are answered in the end."""
    # A seat that no process knows yet.
    fresh = single.people(seed=2)
    with Burst(single) as burst:
        reads = [burst.add(f"GET /v1/games/{party.game}/events?limit=1000", ATTACKER) for _ in range(BURST)]
        later = [
            burst.add("GET /healthz", source),
            burst.add("GET /readyz", source),
            say(burst, fresh, 0, source),
        ]
        burst.send()
        assert [answer_of(each)[:12] for each in later] == [b"HTTP/1.1 200"] * 3
        assert answered(reads) < BURST / 2
        assert {answer_of(each)[:12] for each in reads} == {b"HTTP/1.1 200"}


def test_addresses_take_turns(single: Service, party: Party) -> None:
    """A read of another address is answered before most of the burst."""
    with Burst(single) as burst:
        reads = [burst.add(f"GET /v1/games/{party.game}/events?limit=1000", ATTACKER) for _ in range(BURST)]
        others = [burst.add("GET /v1/tournaments", OTHER) for _ in range(8)]
        burst.send()
        assert {answer_of(each)[:12] for each in others} == {b"HTTP/1.1 200"}
        assert answered(reads) < BURST / 2


def test_writes_and_health_checks_of_one_address_take_turns_too(single: Service, party: Party) -> None:
    """Refused commands, and health checks themselves, hold up no other address."""
    fresh = single.people(seed=3)
    with Burst(single) as burst:
        token = "Authorization: Bearer fbs_0000\r\n"
        refused = [
            burst.add(f"POST /v1/games/{party.game}/commands", ATTACKER, token, '{"type":"draw"}')
            for _ in range(BURST)
        ]
        probes = [burst.add("GET /readyz", ATTACKER) for _ in range(BURST)]
        later = [say(burst, fresh, 0, PLAYER), burst.add("GET /healthz", PLAYER)]
        burst.send()
        assert [answer_of(each)[:12] for each in later] == [b"HTTP/1.1 200"] * 2
        assert answered(refused) + answered(probes) < BURST * 2
        assert {answer_of(each)[:12] for each in refused} == {b"HTTP/1.1 403"}
        assert {answer_of(each)[:12] for each in probes} == {b"HTTP/1.1 200"}
