"""A service with all its processes, for the pages of a whole file of tests."""

from collections.abc import Iterator

import pytest

from tests.service.pages.reviewed import Reviewed, play_whole_game
from tests.support.processes import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Start everything, without limits: what they do, other tests hold."""
    with Service(tmp_path_factory.mktemp("service")) as running:
        running.start("up", FIELDBOOK_LIMITS="off", WEB_PROCESSES="1")
        running.await_ready()
        yield running


@pytest.fixture(scope="module")
def reviewed(service: Service) -> Reviewed:
    """Return a game that has finished."""
    return play_whole_game(service)
