"""What is looked at all the time: what the processes hold, and how far the service is behind itself."""

import time
from contextlib import closing
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from events.store.errors import StoreError
from events.store.redis.redis_store import RedisEventStore
from service.projections.generations import DUE, generation_name
from service.projections.progress import projection_progress, seconds_behind
from service.storage.checkpoints import Checkpoints
from tests.benchmarks.endurance.footprint import Footprint, footprints
from tests.benchmarks.endurance.installation import Installation

HOLD_SECONDS: Final = 2.0
"""Between two looks at what processes hold."""
LAG_SECONDS: Final = 0.5
"""Between two looks at the lags."""


class Watching:
    """Looks from when this is entered until it is left.

    Attributes:
        holds: by process, moments (time.monotonic) with what it held.
        projector: moments with the seconds by which the list of games was behind.
        validations: moments with the number of finished games that had no verdict.
    """

    def __init__(self, installation: Installation) -> None:
        """Prepare."""
        self.holds: dict[str, list[tuple[float, Footprint]]] = {name: [] for name in installation.names}
        self.projector: list[tuple[float, float]] = []
        self.validations: list[tuple[float, float]] = []
        self._installation = installation
        self._stop = Event()
        self._threads = [
            Thread(target=each, daemon=True) for each in (self._look_at_holds, self._look_at_lags)
        ]

    def __enter__(self) -> Self:
        """Begin to look."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Look no more."""
        self._stop.set()

    def _look_at_holds(self) -> None:
        while not self._stop.wait(HOLD_SECONDS):
            moment = time.monotonic()
            for name, found in footprints(self._installation.processes()).items():
                self.holds[name].append((moment, found))

    def _look_at_lags(self) -> None:
        with closing(self._installation.open_store()) as store:
            checkpoints = Checkpoints(store)
            while not self._stop.wait(LAG_SECONDS):
                try:
                    self._look(store, checkpoints)
                except StoreError:
                    continue  # it is just being restarted, and nothing can be behind it

    def _look(self, store: RedisEventStore, checkpoints: Checkpoints) -> None:
        progress = projection_progress(store)
        behind = max(seconds_behind(store, each, int(1000 * time.time())) for each in progress)
        due = 0
        for each in progress:
            key = checkpoints.read_model_key(each.partition, generation_name(each.generation), DUE)
            due += int(store.connection.command("ZCARD", key))
        moment = time.monotonic()
        self.projector.append((moment, behind))
        self.validations.append((moment, float(due)))
