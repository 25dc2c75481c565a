"""How every process of the service starts and ends: logging, parents, settings, queue, store, and two signals."""

import signal
from collections.abc import Callable
from threading import Event
from typing import Final, Protocol

from service.platform.process_logging import log_to_standard_error
from service.server.parent_watch import end_with_parents
from service.startup.checks import exit_on_faults
from service.startup.start_report import say_that_it_starts
from service.startup.startup_error import exit_on_startup_error
from service.startup.store_opening import open_store
from service.storage.queues import check_queue
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.telemetry.spans import hand_over
from service.telemetry.starting import start_recording

STOP_SECONDS: Final = 10.0
"""How long the step under way may take when what a process belongs to is gone."""


class Runnable(Protocol):
    """What a process does."""

    def run(self, stopping: Event) -> None:
        """Work until told to stop, through outages of the store."""


def start_process(
    name: str,
    *,
    stop_seconds: float = STOP_SECONDS,
    needs_queue: bool = False,
    check: Callable[[], object] = lambda: None,
) -> tuple[StoreSettings, Store]:
    """Settings and store of a process that starts; ends it with status 2 where these, or `check`, are refused."""
    exit_on_faults()
    log_to_standard_error()
    end_with_parents(stop_seconds)
    with exit_on_startup_error():
        check()
        if needs_queue:
            check_queue()
        start_recording(name)
        settings = StoreSettings.from_environment()
        store = open_store(settings)
    say_that_it_starts(name, settings, store)
    return settings, store


def run_process(
    name: str,
    build: Callable[[StoreSettings, Store], Runnable],
    *,
    needs_queue: bool = False,
    check: Callable[[], object] = lambda: None,
) -> None:
    """Run what `build` makes until SIGTERM or SIGINT; ends with status 2 where something is refused at the start."""
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    settings, store = start_process(name, needs_queue=needs_queue, check=check)
    with exit_on_startup_error():
        found = build(settings, store)
    found.run(stopping)
    hand_over()
