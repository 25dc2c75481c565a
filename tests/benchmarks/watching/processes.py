"""The audience: some processes of spectators."""

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Self

import msgspec

from tests.benchmarks.load.processes import heard, talking, tell
from tests.benchmarks.own_service import ServiceFailed
from tests.benchmarks.watching.plan import Seen, WatchPlan

PROCESSES = 2


class Audience:
    """Spectators, from when this is entered; they are gone when it is left."""

    def __init__(self, port: int, games: Sequence[str]) -> None:
        """Follow these games: a stream for each."""
        self._plans = []
        first = 0
        for place in range(min(PROCESSES, len(games))):
            share = tuple(games[place::PROCESSES])
            self._plans.append(WatchPlan(port=port, games=share, first=first))
            first += len(share)
        self._running: list[subprocess.Popen[bytes]] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Open all streams.

        Raises:
            ServiceFailed: they do not come about.
        """
        with ExitStack() as stack:
            self._running = [stack.enter_context(talking("tests.benchmarks.watching")) for _ in self._plans]
            for process, plan in zip(self._running, self._plans, strict=True):
                tell(process, msgspec.json.encode(plan))
            self._await_streams()
            self._stack = stack.pop_all()
        return self

    def _await_streams(self) -> None:
        for process in self._running:
            if (said := heard(process)) != b"ready":
                raise ServiceFailed(f"The spectators did not get their streams: {said.decode()}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all streams."""
        self._stack.close()

    def seen(self, last: Mapping[str, int]) -> Seen:
        """What they have seen when each has had these last versions of the games, or some time is over."""
        for process in self._running:
            tell(process, msgspec.json.encode(last))
        found = [msgspec.json.decode(heard(process), type=Seen) for process in self._running]
        return Seen(
            milliseconds=tuple(each for seen in found for each in seen.milliseconds),
            lost=sum(seen.lost for seen in found),
            behind=sum(seen.behind for seen in found),
            refused=sum(seen.refused for seen in found),
            processor_seconds=sum(seen.processor_seconds for seen in found),
        )
