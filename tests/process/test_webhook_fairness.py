"""One integrator's slow endpoints, and the webhooks of everybody else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.processes import NAMES, Service
from tests.support.receiver import Receiver, receiver
from tests.support.servers import eventually

SLOW: Final = 20
"""As many webhooks as one key may have."""
AT_ONCE: Final = 12
"""Requests to slow endpoints that may have begun before another integrator is told: far from all of them."""


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
