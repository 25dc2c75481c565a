"""How requests are repeated, seen from the service's side."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from replay.client.problems import Invalid, Problem, RefusedByTheRules, Unreachable
from replay.client.transport import Transport
from tests.support.processes import free_port

Answers = list[tuple[int, dict[str, str], bytes] | bytes | None]


@contextmanager
def answering(answers: Answers) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that gives these answers in order, and the headers that it was sent.

    None: it hangs up; bytes are sent as they are, before it hangs up.
    """
    seen: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            seen.append(dict(self.headers.items()))
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = answers.pop(0)
            if given is None or isinstance(given, bytes):
                self.wfile.write(given or b"")
                self.close_connection = True
                return
            status, headers, body = given
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    for method in ("GET", "POST"):
        setattr(Handler, f"do_{method}", Handler.answer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def transport(address: str, patience: float = 20.0) -> Transport:
    """A transport with this patience."""
    return Transport(address, "fbs_x", patience=patience, timeout=20)


def test_a_request_is_repeated_with_the_same_key_until_it_is_answered() -> None:
    """Hung up, not ready, too many requests: the key stays, so it counts once."""
    answers: Answers = [None, (503, {"Retry-After": "0"}, b"not json"), (429, {}, b"{}"), (200, {}, b"{}")]
    with answering(answers) as (address, seen):
        reply = transport(address).request("POST", "/x", b"{}", {"Idempotency-Key": '"k"'})

    assert reply.status == 200
    assert [each["Idempotency-Key"] for each in seen] == ['"k"'] * 4
    assert {each["Authorization"] for each in seen} == {"Bearer fbs_x"}


@pytest.mark.parametrize(
    "beginning",
    [
        b"HTTP",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Lengt",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n",
        b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a',
    ],
)
def test_an_answer_that_is_cut_off_is_none(beginning: bytes) -> None:
    """Wherever it is: in the head, or in the body."""
    with answering([beginning, (200, {}, b"{}")]) as (address, seen):
        assert transport(address).request("GET", "/x").body == b"{}"
    assert len(seen) == 2


def test_an_answer_may_end_with_its_connection() -> None:
    """So it does behind a proxy of HTTP/1.0, which names no length; and 204 has none."""
    whole, nothing = b'HTTP/1.0 200 OK\r\n\r\n{"a": 1}', b"HTTP/1.1 204 No Content\r\n\r\n"
    with answering([whole, nothing]) as (address, _):
        sender = transport(address)
        assert sender.request("GET", "/x").body == b'{"a": 1}'
        assert sender.request("GET", "/x").status == 204


def test_what_has_no_key_is_not_repeated() -> None:
    """Nobody knows whether it counted."""
    with answering([None, (200, {}, b"{}")]) as (address, seen), pytest.raises(Unreachable):
        transport(address).request("POST", "/x", b"{}")
    assert len(seen) == 1


def test_a_refusal_is_not_repeated() -> None:
    """The same request would be refused again; a page of a proxy in between is a problem too."""
    with (
        answering([(422, {}, b'{"code": "c", "detail": "d"}')]) as (address, _),
        pytest.raises(Problem, match="422 c: d"),
    ):
        transport(address).request("GET", "/x")
    with answering([(400, {}, b"<html>")]) as (address, _), pytest.raises(Problem, match="400 unknown"):
        transport(address).request("GET", "/x")


def test_a_wrong_port_is_said_at_once_and_named() -> None:
    """Nobody ever answered there, so waiting would not help; neither for a host that there is not."""
    for address in (f"http://127.0.0.1:{free_port()}", "http://no-such-host.invalid"):
        began = time.monotonic()
        with pytest.raises(Unreachable, match=address) as unreachable:
            transport(address, patience=60).request("GET", "/x")
        assert (unreachable.value.status, unreachable.value.address) == (0, address)
        assert time.monotonic() - began < 20


def test_a_service_that_answered_before_may_start_again() -> None:
    """Then a refused connection is waited out for as long as patience lasts, whatever token asks."""
    with answering([(200, {}, b"{}")]) as (address, _):
        sender = transport(address, patience=1)
        sender.request("GET", "/x")
        sender.close()
    began = time.monotonic()
    with pytest.raises(Unreachable, match="refused"):
        sender.bearing("fbs_y").request("GET", "/x")
    assert time.monotonic() - began > 0.3


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({"code": "unknown_system", "section": "house rule"}, Invalid),
        ({"code": "schema_violation"}, Invalid),
        ({"code": "wrong_phase", "section": "2"}, RefusedByTheRules),
        ({"code": "no_person_there"}, Problem),
    ],
)
def test_what_is_misspelt_is_not_refused_by_the_rules(members: dict[str, str], kind: type[Problem]) -> None:
    """A program that tries another move must not take a wrong name for a rule."""
    with answering([(422, {}, json.dumps(members).encode())]) as (address, _), pytest.raises(Problem) as told:
        transport(address).request("GET", "/x")
    assert type(told.value) is kind
    assert address in str(told.value)


def test_patience_ends() -> None:
    """What the service asks for is longer than the client's patience; the problem says what was answered last."""
    with (
        answering([(503, {"Retry-After": "60"}, b'{"code": "store_unavailable"}')]) as (address, _),
        pytest.raises(Unreachable, match="503 store_unavailable"),
    ):
        transport(address, patience=1).request("GET", "/x")
