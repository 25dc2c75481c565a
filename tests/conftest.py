"""Fixtures that every part of the suite may use, where pytest looks for tests, and which process runs them when."""

import os
import re
from pathlib import Path
from typing import Final

import pytest

from tests.seconds import TRIAL, part_evenly, read_seconds

pytest_plugins = [
    "tests.support.servers",
    "tests.support.second_verifier",
    "tests.support.browser",
    "tests.support.chromium",
    "tests.support.archiving",
    "tests.support.process_marks",
    "tests.support.crashes",
]
SECONDS: Final = read_seconds()
TRIALS: Final = {name: seconds for name, seconds in SECONDS.items() if seconds >= TRIAL}
"""Long trials, most of them with whole processes, browsers and compilers: `make test` leaves them out."""
PART, PARTS = map(int, os.environ.get("FIELDBOOK_TRIALS", "1/1").split("/"))
"""Which of how many parts of the trials this run takes: continuous integration takes another one for each commit."""
LONGEST_NAME: Final = 1_000
"""What is longer is no name of a test, in characters or bytes."""
LAW: Final = re.compile(r"/laws/|_laws?\.py")
"""So do files that are called laws: they hold over many games."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Look into files of tests only: what tests are written with has no examples in its docstrings."""
    is_support = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if is_support else None


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name long text by its length: the name of a test stands in the environment of all that it starts."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{argname} of {len(val)}"
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, so that the games and servers that they share are made once.

    A test that names its group by itself goes where its group goes. Files that take long come first, so that in the
    end no process of tests waits for another one that has just begun with one.
    """
    part_of = part_evenly(TRIALS, PARTS)
    here, elsewhere = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        file = _file_of(item)
        if file in SECONDS or LAW.search(file):
            item.add_marker(pytest.mark.lengthy)
        if file in TRIALS:
            item.add_marker(pytest.mark.soak)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(file))
        is_elsewhere = item.get_closest_marker("soak") is not None and part_of.get(file, 1) != PART
        (elsewhere if is_elsewhere else here).append(item)
    config.hook.pytest_deselected(items=elsewhere)
    items[:] = sorted(here, key=lambda item: _file_of(item) not in SECONDS)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run in several processes that tear groups apart: each would make again what a group shares."""
    if hasattr(session.config, "workerinput") and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError(
            "this pytest-xdist tears groups of tests apart under this pytest: see requirements"
        )


def _file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]
