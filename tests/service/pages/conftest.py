"""A service with all its processes and a browser, for the pages of a whole file of tests."""

from collections.abc import Iterator

import pytest

from tests.service.pages.windows import Windows, open_windows


@pytest.fixture(scope="module")
def shared_windows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """One service and one browser for all tests of a file."""
    with open_windows(tmp_path_factory.mktemp("playing")) as opened:
        yield opened


@pytest.fixture
def windows(shared_windows: Windows) -> Iterator[Windows]:
    """Without the windows of the test before."""
    yield shared_windows
    shared_windows.close()
