"""Which tests start processes: marked `process` by what their file imports, and held to it in `make quick`.

A file of tests starts processes when it, or any module of tests that it imports or that makes one of its fixtures,
knows `subprocess` or one of its kind. The embedded store is the exception: `servers.py` starts one for all tests.
"""

import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from types import ModuleType
from typing import Any, Final

import pytest

STARTERS: Final = frozenset({"multiprocessing", "pty", "subprocess"})
STORE: Final = "service.embedded_store"
EXEMPT: Final = frozenset({"tests.support.servers", __name__})
_EVENTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"})
"""What CPython tells audit hooks when a process is started (https://docs.python.org/3.11/library/audit_events.html)."""
_running: Final[list[str]] = []
"""The test that runs now, unless it may start processes."""


class ProcessStarted(AssertionError):
    """A test that is not marked `process` has started one."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark those that start processes; a test may also be marked where it stands."""
    for item in items:
        if isinstance(item, pytest.Function) and any(map(starts_processes, _modules_of(item))):
            item.add_marker(pytest.mark.process)


def starts_processes(name: str) -> bool:
    """Whether a module of tests, or one from which it imports, starts processes."""
    seen: set[str] = set()
    ahead = {name}
    while ahead:
        origins = frozenset().union(*map(_origins, ahead))
        if origins & STARTERS:
            return True
        seen |= ahead
        ahead = {origin for origin in origins if origin.startswith("tests.")} - seen
    return False


@cache
def _origins(name: str) -> frozenset[str]:
    """The modules from which the names in a module come."""
    known = {} if name in EXEMPT else vars(sys.modules[name])
    return frozenset(map(_origin, known.values()))


def _modules_of(item: pytest.Function) -> Iterator[str]:
    yield item.module.__name__
    definitions = item._fixtureinfo.name2fixturedefs.values()  # noqa: SLF001 - pytest has no public name for it
    for fixture in chain.from_iterable(definitions):
        if fixture.func.__module__.startswith("tests."):
            yield fixture.func.__module__


def _origin(value: Any) -> str:
    found = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return found if isinstance(found, str) else ""


def pytest_configure(config: pytest.Config) -> None:
    """Watch over a run that leaves the marked tests out: no other test may start a process."""
    if "process" in config.option.markexpr:
        sys.addaudithook(_refuse)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Remember which test runs that may start none."""
    if item.get_closest_marker("process") is None:
        _running.append(item.nodeid)
    try:
        return (yield)
    finally:
        _running.clear()


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _EVENTS and _running and STORE not in str(arguments):
        raise ProcessStarted(
            f"{_running[0]} starts a process: import what starts it at the top of the file, or mark it `process`."
        )
