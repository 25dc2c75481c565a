"""Requests that read whole games are answered apart from players, however their address is written.

A reverse proxy, a client library or an attacker may write one address in many ways (RFC 3986, section 6.2.2; a
trailing slash; RFC 9112, section 3.2). Each way that leads to the same answer costs the players the same: nothing.
"""

import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.support.http_play import Answer, Party
from tests.support.processes import Service
from tests.support.servers import eventually

RECORD = "/v1/games/{game}/record"
WAYS = {
    "as documented": f"GET {RECORD} HTTP/1.1",
    "trailing slash": f"GET {RECORD}/ HTTP/1.1",
    "encoded letter": "GET /v1/games/{game}/%72ecord HTTP/1.1",
    "all encoded": "GET /%761/%67ames/{game}/%72%65%63%6f%72%64 HTTP/1.1",
    "two slashes in front": f"GET /{RECORD} HTTP/1.1",
    "absolute address": f"GET http://here{RECORD} HTTP/1.1",
    "HEAD with a trailing slash": f"HEAD {RECORD}/ HTTP/1.1",
    "HTTP/1.0": f"GET {RECORD} HTTP/1.0",
    "encoded parameter": "GET /v1/games/{game}?%61t=5 HTTP/1.1",
    "parameter in any place": "GET /v1/games/{game}/?as=public&a%74=5 HTTP/1.1",
    "parameter that does not wait": "GET /v1/games/{game}/events?after=0&text=en&wait=0 HTTP/1.1",
    "encoded knowledge": "GET /v1/games/{game}/scene/?%6bnowledge=true HTTP/1.1",
    "stream named but not preferred": (
        "GET /v1/games/{game}/events?text=en HTTP/1.1\r\nAccept: application/json, text/event-stream;q=0.1"
    ),
    "page with an encoded dot": "GET /games/{game}/page%2Ehtml HTTP/1.1",
    "tournament": "GET /v1/tournaments/nothing HTTP/1.1",
    "tournament's log with a trailing slash": "GET /v1/tournaments/nothing/log/ HTTP/1.1",
    "branch with a trailing slash": "POST /v1/games/{game}/branches/ HTTP/1.1",
    "verification with a trailing slash": "POST /v1/verifications/ HTTP/1.1",
}


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """Keep a process stopped."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def process_for_heavy_requests(service: Service) -> int:
    """Return the web process that runs at the lowest priority."""

    def priority(process: int) -> int:
        return os.getpriority(os.PRIO_PROCESS, process)

    eventually(lambda: len({priority(each) for each in service.children("web")}) > 1)
    return max(service.children("web"), key=priority)


def ask(service: Service, head: str, *, ends_early: bool = False) -> bytes:
    """Send a request on a new connection and return the whole answer."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(head.encode())
        if ends_early:
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.fixture(scope="module")
def party(service: Service) -> Party:
    """Return a game that has been played for a while."""
    found = service.people(seed=1)
    found.play(most=10)
    return found


def is_kept_from_players(service: Service, party: Party, head: str, *, ends_early: bool = False) -> bytes:
    """Send a request while the process for heavy requests is stopped; check that players can play meanwhile."""
    with ThreadPoolExecutor(1) as threads:
        with stopped(process_for_heavy_requests(service)):
            waiting: Future[bytes] = threads.submit(ask, service, head, ends_early=ends_early)
            party.play(most=15)
            assert not waiting.done()
        return waiting.result()


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_write_a_heavy_request(service: Service, party: Party, way: str) -> None:
    """Nothing of it is done by the processes that serve players, and it is answered as usual."""
    line = WAYS[way].format(game=party.game)
    body = "Content-Length: 0\r\nContent-Type: application/json\r\n" if line.startswith("POST") else ""
    answer = is_kept_from_players(service, party, f"{line}\r\nHost: here\r\nConnection: close\r\n{body}\r\n")
    status = int(answer.split()[1])
    assert status == 200 or (body and status in {400, 415, 422}) or ("/nothing" in line and status == 404)


def test_a_request_whose_body_is_cut_off(service: Service, party: Party) -> None:
    """A body that ends early changes nothing (RFC 9112, section 8: such a request is incomplete)."""
    line = f"GET {RECORD} HTTP/1.1".format(game=party.game)
    answer = is_kept_from_players(
        service, party, f"{line}\r\nHost: here\r\nContent-Length: 9\r\n\r\n123", ends_early=True
    )
    assert answer.startswith(b"HTTP/1.1 200")
    upload = "POST /v1/verifications HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-ndjson\r\n"
    answer = is_kept_from_players(service, party, f"{upload}Content-Length: 9\r\n\r\n123", ends_early=True)
    assert b'"code":"body_cut_off"' in answer


def test_an_answer_to_http_1_0_has_a_length(service: Service, party: Party) -> None:
    """HTTP/1.0 has no chunks (RFC 9112, section 6.1)."""
    answer = ask(service, f"GET {RECORD} HTTP/1.0\r\n\r\n".format(game=party.game))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert f"content-length: {len(body)}".encode() in head.lower()
    assert b"transfer-encoding" not in head.lower()


def test_an_upload_to_an_encoded_address_may_be_as_large(service: Service, party: Party) -> None:
    """All of it is read: the limit for uploads belongs to the resource, not to one way to write its address."""
    record: Answer = service.api.call("GET", RECORD.format(game=party.game))
    lines = record.body * (1 + 200_000 // len(record.body))
    answers = [
        service.api.call("POST", path, raw=lines, headers={"Content-Type": "application/x-ndjson"})
        for path in ("/v1/verifications", "/v1/verifications/", "/v1/%76erifications", "//v1/verifications")
    ]
    assert [each.status for each in answers] == [200] * len(answers)
    assert len({each.body for each in answers}) == 1


def test_one_address_verifies_one_record_at_once(service: Service, party: Party) -> None:
    """As docs/limits.md says, however the address is written; what is refused says when to try again."""
    record = service.api.call("GET", RECORD.format(game=party.game)).body
    paths = ("/v1/verifications", "/v1/verifications/", "/v1/%76erifications", "//v1/verifications") * 2
    with ThreadPoolExecutor(len(paths)) as threads:
        with stopped(process_for_heavy_requests(service)):
            asked = [
                threads.submit(
                    service.api.call,
                    "POST",
                    path,
                    raw=record,
                    headers={"Content-Type": "application/x-ndjson"},
                )
                for path in paths
            ]
            party.play(most=15)
        answers = sorted((each.result() for each in asked), key=lambda each: each.status)
    assert [each.status for each in answers] == [200] + [503] * (len(paths) - 1)
    assert {each.json["code"] for each in answers[1:]} == {"too_many_verifications"}
    assert all(int(each.headers["retry-after"]) > 0 for each in answers[1:])
