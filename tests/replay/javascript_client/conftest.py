"""A running service, a network before it that can fail, and the client in Node behind that."""

from collections.abc import Iterator

import pytest

from tests.support.javascript_client import JavaScriptClient
from tests.support.lossy_proxy import LossyProxy
from tests.support.processes import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run web and store on a folder of their own."""
    with Service(tmp_path_factory.mktemp("javascript")) as running:
        running.start("store", "web", FIELDBOOK_LIMITS="off")
        running.await_ready()
        yield running


@pytest.fixture(scope="module")
def network(service: Service) -> Iterator[LossyProxy]:
    """What lies between the client and the service."""
    with LossyProxy(f"http://127.0.0.1:{service.port}") as between:
        yield between


@pytest.fixture(scope="module")
def client(network: LossyProxy) -> Iterator[JavaScriptClient]:
    """The client, which reaches the service by the network only."""
    with JavaScriptClient(f"http://127.0.0.1:{network.port}") as running:
        yield running
