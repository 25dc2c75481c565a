"""One integrator's slow endpoints and slow host names, and the webhooks of everybody else."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.processes import NAMES, Service
from tests.support.receiver import Receiver, receiver
from tests.support.servers import ROOT, eventually

SLOW: Final = 20
"""As many webhooks as one key may have."""
AT_ONCE: Final = 12
"""Requests to slow endpoints that may have begun before another integrator is told: far from all of them."""
SLOW_NAMES: Final = """
import socket, time

known = socket.getaddrinfo

def look_up(host, *more, **named):
    if str(host).endswith(".slow.example"):
        time.sleep(600)
    return known(host, *more, **named)

socket.getaddrinfo = look_up
"""
"""What Python reads when it starts: some host names have a resolver that does not answer."""


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Service]:
    """Yield a service whose webhooks may reach loopback."""
    with Service(tmp_path) as running:
        running.environment |= {"FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8"}
        running.start("store", "web", "webhooks")
        running.await_ready()
        yield running


def register(service: Service, key: str, endpoint: Receiver, count: int) -> None:
    """Register webhooks for a key's own games, and wait until they are active."""
    for number in range(count):
        body = {"url": endpoint.url(f"/{number}"), "games": "own", "events": ["game.created"]}
        answer = service.api.call("POST", "/v1/webhooks", body, token=key)
        assert answer.status == 201, answer.body

    def states() -> list[Any]:
        listed = service.api.call("GET", "/v1/webhooks", token=key).json["webhooks"]
        return [each["state"] for each in listed]

    eventually(lambda: states() == ["active"] * count)


def create_game(service: Service, key: str) -> None:
    """Set up a game of this key's."""
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES]}
    assert service.api.call("POST", "/v1/games", body, token=key).status == 201


def test_slow_endpoints_of_one_key_leave_senders_to_the_others(telling: Service) -> None:
    """While all endpoints of one key hang, a webhook of another key is told: it does not wait for their end."""
    one, other = telling.key(), telling.key()
    with receiver() as slow, receiver() as quick:
        slow.ways = ["hang"]
        register(telling, one, slow, SLOW)
        register(telling, other, quick, 1)
        begun = []
        quick.on_told = lambda: begun.append(len(slow.told))
        create_game(telling, one)
        eventually(lambda: len(slow.told) > 1)
        create_game(telling, other)
        eventually(lambda: bool(begun))
        assert begun[0] <= AT_ONCE
        eventually(lambda: len({each.path for each in slow.told}) == SLOW)


def test_slow_host_names_of_one_key_leave_look_ups_to_the_others(tmp_path: Path) -> None:
    """While the resolver has no answer for many names of one key, a webhook of another key becomes active."""
    names = tmp_path / "names"
    names.mkdir()
    (names / "sitecustomize.py").write_text(SLOW_NAMES)
    with Service(tmp_path) as service, receiver() as quick:
        service.environment |= {"FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8"}
        service.start("store", "web")
        service.start("webhooks", PYTHONPATH=f"{names}{os.pathsep}{ROOT}")
        service.await_ready()
        one, other = service.key(), service.key()
        registered = 0

        def are_look_ups_taken() -> bool:
            """Register another name for each that has failed, until a name is not looked up."""
            nonlocal registered
            listed = service.api.call("GET", "/v1/webhooks", token=one).json["webhooks"]
            failing = [each["id"] for each in listed if each["failing_since"]]
            for each in failing:
                assert service.api.call("DELETE", f"/v1/webhooks/{each}", token=one).status == 200
            for _ in range(SLOW - len(listed) + len(failing)):
                body = {"url": f"http://{registered}.slow.example/", "games": "own"}
                assert service.api.call("POST", "/v1/webhooks", body, token=one).status == 201
                registered += 1
            return 'outcome="no_free_look_up"' in service.api.call("GET", "/metrics").body.decode()

        eventually(are_look_ups_taken, seconds=180)
        register(service, other, quick, 1)
