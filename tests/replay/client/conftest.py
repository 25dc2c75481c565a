"""A running service for the tests of the client."""

from collections.abc import Iterator

import pytest

from replay.client import Fieldbook
from tests.support.processes import Service


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run web, store, bots, projector and worker on a folder of their own."""
    with Service(tmp_path_factory.mktemp("client")) as running:
        running.start("store", "web", "bots", "projector", "worker")
        running.await_ready()
        yield running


@pytest.fixture(scope="package")
def address(service: Service) -> str:
    """Where the service is."""
    return f"http://127.0.0.1:{service.port}"


@pytest.fixture(scope="package")
def fieldbook(service: Service, address: str) -> Fieldbook:
    """Return a client with a key."""
    return Fieldbook(address, service.key())
