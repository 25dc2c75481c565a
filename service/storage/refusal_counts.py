"""What a process of the HTTP interface has refused, by code, and failures of its loops, for the store to keep.

`/metrics` says it as long as the process runs; `fieldbook report` asks the store, for a whole season.
"""

import logging
from collections import Counter
from contextlib import suppress
from threading import Lock, Timer
from typing import Final

from events.store.errors import StoreError
from events.store.event_store import EventStore
from events.store.waiting import waiting_at_most
from service.platform.loop_failures import LOOP_FAILURES
from service.storage.heartbeats import WAIT_SECONDS, CountBatches, Counted, all_counts

EXTENSION: Final = "fieldbook_refusal_counts"
"""Where an application has those of its process; nowhere, where they are not kept."""
HAND_IN_SECONDS: Final = 5.0
"""How long refusals gather; a process that is killed takes those of so long with it."""
_NAME: Final = "refusals"
_log = logging.getLogger("fieldbook.web")


class RefusalCounts:
    """Those of one process that the store does not have yet: a number for each code, and never more."""

    def __init__(self, store: EventStore, hand_in_seconds: float = HAND_IN_SECONDS) -> None:
        """Hand them in to this store, so long after one."""
        self._seconds = hand_in_seconds
        self._counted = Counter[Counted]()
        self._batches = CountBatches(store)
        self._lock = Lock()
        self._handing_in = Lock()
        self._timer: Timer | None = None
        LOOP_FAILURES.on_failure = self._arm_for_failure

    def count(self, code: str) -> None:
        """Count a refusal; nobody waits for the store."""
        with self._lock:
            self._counted[_NAME, code] += 1
            self._arm()

    def hand_in(self) -> None:
        """Hand in what was counted, once another call has; what the store does not take is tried again."""
        with self._handing_in:
            with self._lock:
                counted, self._counted, self._timer = self._counted, Counter(), None
                counted.update(LOOP_FAILURES.take())
            try:
                with waiting_at_most(WAIT_SECONDS):
                    self._batches.add(counted)
            except StoreError as error:
                _log.debug("refusals are not counted yet: %s", error)
                with self._lock:
                    self._counted.update(counted)
                    self._arm()

    def _arm_for_failure(self) -> None:
        with self._lock:
            self._arm()

    def _arm(self) -> None:
        """See that what is counted is handed in; where no thread can be started, with the next refusal."""
        if self._timer is not None:
            return
        timer = Timer(self._seconds, self.hand_in)
        timer.daemon = True
        with suppress(RuntimeError):
            timer.start()
            self._timer = timer


def refusals_kept(store: EventStore) -> dict[str, int]:
    """How often something was refused, by code, since the installation keeps that.

    Raises:
        StoreUnavailable
    """
    kept = {labels[0]: number for (name, *labels), number in all_counts(store).items() if name == _NAME}
    return dict(sorted(kept.items()))
