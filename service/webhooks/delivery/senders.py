"""The threads that send: each serves one webhook after the other, and ends when none is due.

The webhooks of one key have some of the threads at most, so slow endpoints of one integrator leave the others free.
"""

import logging
import time
from collections import Counter
from threading import BoundedSemaphore, Event, Lock, Thread
from typing import Final

from events.store.errors import StoreError
from service.platform.clock import now_milliseconds
from service.platform.metrics import LOOP_FAILURES
from service.webhooks.deliveries import Claim
from service.webhooks.delivery.delivering import Delivering
from service.webhooks.store import Deliveries

SENDERS: Final = 24
"""Requests under way at once at most."""
SENDERS_OF_A_KEY: Final = 3
"""Those to the webhooks of one key at most."""
_log = logging.getLogger("fieldbook.webhooks")


class Senders:
    """Serves the webhooks that are due, some at once."""

    def __init__(self, deliveries: Deliveries, delivering: Delivering, most: int = SENDERS) -> None:
        """Begin with no thread."""
        self._deliveries = deliveries
        self._delivering = delivering
        self._free = BoundedSemaphore(most)
        self._working: list[Thread] = []
        self._serving = Counter[str]()
        """Claims under way, by key."""
        self._claiming = Lock()
        self._stopping = Event()

    def hand_out(self, now: int) -> int | None:
        """Have every webhook served that is due, as far as threads are free; returns when the next one is due.

        Raises:
            StoreUnavailable
        """
        self._working = [each for each in self._working if each.is_alive()]
        while self._free.acquire(blocking=False):
            claim = None
            try:
                claim = self._claim(now)
            finally:
                if claim is None:
                    self._free.release()
            if claim is None:
                return self._deliveries.next_due(now)
            sender = Thread(target=self._serve, args=(claim,), name="webhook-sender", daemon=True)
            self._working.append(sender)
            sender.start()
        return None

    def stop(self, until: float) -> None:
        """Begin nothing more, and wait for what is under way until this moment of `time.monotonic`."""
        self._stopping.set()
        for each in self._working:
            each.join(max(0.0, until - time.monotonic()))

    def _serve(self, first: Claim) -> None:
        claim: Claim | None = first
        try:
            while claim is not None:
                try:
                    self._delivering.serve(claim)
                finally:
                    self._end(claim)
                claim = None if self._stopping.is_set() else self._claim(now_milliseconds())
        except StoreError as error:
            _log.warning("waiting for the store: %s", error)
        except Exception:  # noqa: BLE001 - one broken delivery must not end what sends all others
            _log.exception("a webhook cannot be served")
            LOOP_FAILURES.labels("webhooks").inc()
        finally:
            self._free.release()

    def _claim(self, now: int) -> Claim | None:
        """Claim a webhook of a key that has not as many senders as a key may have."""
        with self._claiming:
            busy = [key for key, number in self._serving.items() if number >= SENDERS_OF_A_KEY]
            claim = self._deliveries.claim(now, busy)
            if claim is not None:
                self._serving[claim.key] += 1
            return claim

    def _end(self, claim: Claim) -> None:
        with self._claiming:
            self._serving[claim.key] -= 1
            if not self._serving[claim.key]:
                del self._serving[claim.key]
