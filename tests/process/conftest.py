"""One real installation, shared by all tests of a process of tests: isolate a test by its game and its key."""

from collections.abc import Iterator

import pytest

from tests.support.processes import EVERYTHING, Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a running service with all its processes."""
    with Service(tmp_path_factory.mktemp("service")) as running:
        running.start(*EVERYTHING)
        running.await_ready()
        yield running
