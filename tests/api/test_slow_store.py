"""A store that answers slowly: requests take longer, and have the same answers."""

from collections.abc import Iterator

import pytest

from tests.service.in_process import InProcess
from tests.support.lossy_proxy import LossyProxy
from tests.support.servers import opened

SEATS = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
SLOW = 0.15
"""Seconds that each reply takes; a client of the store waits 3 for one."""


@pytest.fixture
def network(redis_url: str) -> Iterator[LossyProxy]:
    """Yield the network between the service and its store."""
    with LossyProxy(redis_url) as proxy:
        yield proxy


@pytest.fixture
def store(network: LossyProxy) -> Iterator[object]:
    """Yield an empty store behind that network."""
    yield from opened(network.url)


def test_a_game_is_created_once_though_the_store_answers_slowly(api: InProcess, network: LossyProxy) -> None:
    """With an `Idempotency-Key` the service first looks for the game: a slow answer to that is no failure."""
    network.delay = SLOW
    headers = {"Idempotency-Key": "one-game"}
    body = {"system": "classic", "seats": SEATS}
    first, again = (api.call("POST", "/v1/games", body, token=api.key, headers=headers) for _ in range(2))
    assert first.status == 201, first.body
    assert (again.status, again.json["game"]) == (201, first.json["game"])
