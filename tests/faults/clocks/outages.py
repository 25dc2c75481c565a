"""Outages of parts of an installation: how they come about and end, and what the campaign itself noted of each.

The notes come from nothing but the moments at which signals were sent and processes started, and from what the
service answered afterwards; so they can be held against what the logs say.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException

from events.store.errors import StoreError
from events.store.waiting import waiting_at_most
from service.platform.clock import now_milliseconds
from service.storage.life_marks import LATEST_BEAT, LONGEST_SILENCE, LifeMarks
from tests.faults.installation import Installation
from tests.support.processes import descendants

WHOLE_SECONDS = 60.0
"""How long it may take until everything works again."""
LOOK_SECONDS = 0.05
ORDER = ("store", "projector", "web")
"""In this order parts are started."""


@dataclass(frozen=True, slots=True)
class Outage:
    """What was noted of one outage; all moments are milliseconds since the epoch.

    From `down` to `up` nobody could play, or nobody watched, for certain. Before `since` and after `whole` everything
    worked.
    """

    name: str
    stops_play: bool
    """Nobody could play; else nobody watched, and who acted before that was known has lost nothing."""
    since: int
    """Before the first part was broken."""
    down: int
    """All parts were broken."""
    up: int
    """Before the first part was set right, or the last time that nobody listened where the web was broken."""
    whole: int
    """Everything worked again."""

    @property
    def counts(self) -> bool:
        """Whether it was longer than a silence that is none, also where the last mark of it came late."""
        return self.up - self.down > LONGEST_SILENCE + LATEST_BEAT


@dataclass(frozen=True, slots=True)
class Breakage:
    """A way to break parts, and to set them right."""

    name: str
    what: str
    parts: tuple[str, ...]
    breaks: Callable[[Installation, str], None]
    mends: Callable[[Installation, str], None]


def _kill(installation: Installation, part: str) -> None:
    installation.service.kill(part)


def _start(installation: Installation, part: str) -> None:
    installation.start(part)
    if part == "store":
        installation.open_store().close()


def _pause(installation: Installation, part: str) -> None:
    _signal(installation, part, signal.SIGSTOP)


def _go_on(installation: Installation, part: str) -> None:
    _signal(installation, part, signal.SIGCONT)


def _stop(installation: Installation, part: str) -> None:
    installation.service.stop(part)


def _signal(installation: Installation, part: str, number: signal.Signals) -> None:
    """Send a signal to a process and to all below it."""
    first = installation.service.process_id(part)
    for each in (first, *descendants(first)):
        with suppress(ProcessLookupError):
            os.kill(each, number)


def _killed(*parts: str) -> Breakage:
    return Breakage(f"{'+'.join(parts)} killed", "SIGKILL, and a start", parts, _kill, _start)


def _paused(*parts: str) -> Breakage:
    return Breakage(f"{'+'.join(parts)} paused", "SIGSTOP, and SIGCONT", parts, _pause, _go_on)


PLANNED = "stopped as planned"
BREAKAGES = (
    _killed("web"),
    _paused("web"),
    _killed("projector"),
    _paused("projector"),
    _killed("store"),
    _paused("store"),
    _killed("store", "web"),
    _killed("projector", "web"),
    _paused("store", "projector"),
    _killed("store", "projector", "web"),
    _paused("store", "projector", "web"),
    Breakage(PLANNED, "SIGTERM, and a start", ("store", "projector", "web"), _stop, _start),
)
BY_NAME = {each.name: each for each in BREAKAGES}


def break_for(installation: Installation, breakage: Breakage, seconds: float) -> Outage:
    """Break parts for so long, set them right, and wait until everything works.

    Raises:
        AssertionError: it does not, within a minute.
    """
    parts = [part for part in ORDER if part in breakage.parts]
    since = now_milliseconds()
    for part in reversed(parts):
        breakage.breaks(installation, part)
    down = now_milliseconds()
    try:
        time.sleep(seconds)
    finally:
        up = now_milliseconds()
        for part in parts:
            breakage.mends(installation, part)
    refused, whole = await_whole(installation)
    up = max(up, refused) if "web" in parts else up
    return Outage(breakage.name, parts != ["projector"], since, down, up, whole)


def await_whole(installation: Installation) -> tuple[int, int]:
    """Wait until commands are taken and the time of all games is watched.

    Returns when the last attempt was made to which nobody listened, 0 for none, and when all was seen to work.

    Raises:
        AssertionError: it does not come to that within a minute.
    """
    deadline, refused = time.monotonic() + WHOLE_SECONDS, 0
    while True:
        now = now_milliseconds()
        try:
            is_ready = installation.service.api.call("GET", "/readyz").status == 200
        except ConnectionRefusedError:
            is_ready, refused = False, now
        except (OSError, HTTPException):
            is_ready = False
        if is_ready and _is_watched(installation):
            return refused, now_milliseconds()
        assert time.monotonic() < deadline, "the service does not come back"
        installation.mend()
        time.sleep(LOOK_SECONDS)


def _is_watched(installation: Installation) -> bool:
    with suppress(StoreError), waiting_at_most(1.0):
        store = installation.open_store()
        try:
            marks, now = LifeMarks(store), now_milliseconds()
            return all(marks.look(each).is_known_at(now) for each in range(store.partitions))
        finally:
            store.close()
    return False
