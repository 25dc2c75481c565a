"""One real installation for the pages, shared by all tests of a process of tests."""

from collections.abc import Iterator

import pytest

from tests.support.processes import EVERYTHING, Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a running service without rate limits: a page with several frames sends many requests at once."""
    with Service(tmp_path_factory.mktemp("service")) as running:
        running.start(*EVERYTHING, FIELDBOOK_LIMITS="off", WEB_PROCESSES="1")
        running.await_ready()
        yield running
