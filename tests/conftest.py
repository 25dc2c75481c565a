"""Fixtures that every part of the suite may use, where pytest looks for tests, and which process runs them when."""

from pathlib import Path
from typing import Final

import pytest

pytest_plugins = [
    "tests.support.servers",
    "tests.support.second_verifier",
    "tests.support.browser",
]
LONG: Final = ("contract", "failovers", "faults")
"""Folders in which few tests take long."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Look into files of tests only: what tests are written with has no examples in its docstrings."""
    is_support = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if is_support else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, so that the games and servers that they share are made once.

    A test that names its group by itself goes where its group goes. What starts processes comes first, so that in
    the end no process of tests waits for another one that has just begun with it.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    items.sort(key=_is_short)


def _is_short(item: pytest.Item) -> bool:
    """Whether a test starts no processes of the service."""
    return item.path.parent.name not in LONG and "service" not in getattr(item, "fixturenames", ())
