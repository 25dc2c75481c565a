"""Long polls hold no thread: more of them than a process has threads wait, and everybody else is answered."""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.server.web_process import THREADS
from tests.support.http_play import Party
from tests.support.processes import Service
from tests.support.servers import eventually

POLLS = THREADS + 16
SAY = {"type": "say", "text": "hello"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service with one web process, and its store."""
    with Service(tmp_path) as service:
        service.environment["WEB_PROCESSES"] = "1"
        service.start("store", "web")
        service.await_ready()
        yield service


@contextmanager
def long_polls(service: Service, party: Party) -> Iterator[list[socket.socket]]:
    """Connections on which it is waited for the game's next event, all of them begun."""
    version = service.api.call("GET", f"/v1/games/{party.game}").json["version"]
    path = f"/v1/games/{party.game}/events?after={version}&wait=60"
    with ExitStack() as stack:
        polls = []
        for _ in range(POLLS):
            poll = stack.enter_context(closing(socket.create_connection(("127.0.0.1", service.port), 60)))
            poll.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            polls.append(poll)
        eventually(lambda: service.api.call("GET", "/readyz").json["streams"] == POLLS)
        yield polls


def read(poll: socket.socket) -> tuple[int, list[Any]]:
    """Status and events of the answer to one."""
    answer = HTTPResponse(poll)
    answer.begin()
    return answer.status, [each["entry"]["type"] for each in msgspec.json.decode(answer.read())["events"]]


def test_more_long_polls_than_threads_wait_and_commands_go_on(service: Service) -> None:
    """All of them are answered with the event that they have waited for, and give their places back."""
    party = service.people(seed=5)
    with long_polls(service, party) as polls:
        assert party.send(1, SAY).status == 200
        assert {(status, *types) for status, types in map(read, polls)} == {(200, "talked")}
    assert service.api.call("GET", "/readyz").json["streams"] == 0


def test_a_process_that_stops_answers_what_waits(service: Service) -> None:
    """At SIGTERM long polls are answered with what there is, at once."""
    party = service.people(seed=5)
    with long_polls(service, party) as polls:
        service.signal("web", signal.SIGTERM)
        assert {(status, *types) for status, types in map(read, polls)} == {(200,)}
