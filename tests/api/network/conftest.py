"""The API with a network of the test's own between the service and its store: replies get lost, late and counted."""

from collections.abc import Iterator

import pytest

from tests.support.lossy_proxy import LossyProxy
from tests.support.servers import opened


@pytest.fixture
def network(redis_url: str) -> Iterator[LossyProxy]:
    """Yield the network between the service and its store."""
    with LossyProxy(redis_url) as proxy:
        yield proxy


@pytest.fixture
def store(network: LossyProxy) -> Iterator[object]:
    """Yield an empty store behind that network."""
    yield from opened(network.url)
