"""A service with all its processes, and a browser for those who play, for the pages of a whole file of tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.service.pages.reviewed import Reviewed, play_whole_game
from tests.service.pages.windows import Windows, open_windows
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


@pytest.fixture(scope="module")
def shared_windows(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """One service for all tests of a file."""
    with open_windows(chromium, tmp_path_factory.mktemp("playing")) as opened:
        yield opened


@pytest.fixture
def windows(shared_windows: Windows) -> Iterator[Windows]:
    """Without the windows of the test before."""
    yield shared_windows
    shared_windows.close()
