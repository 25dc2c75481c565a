"""That a web process takes requests, said to each partition of the store while the process's event loop turns.

Without that sign the mark of life of a partition stops (`service.storage.life_marks`): where nobody could play,
nobody's time runs. The loop only says that it turns; a thread tells the store, so no request waits for that.
"""

import logging
from contextlib import suppress
from threading import Event, Thread
from typing import Final

from events.store.errors import StoreError, StoreRefused, StoreUnavailable
from events.store.waiting import waiting_at_most
from service.platform.clock import now_milliseconds
from service.platform.metrics import LOOP_FAILURES
from service.storage.life_marks import LifeMarks
from service.storage.partition_pauses import FAILURES, PartitionPauses
from service.storage.store import Store

SIGN_SECONDS: Final = 0.5
"""How often the loop says that it turns."""
WAIT_SECONDS: Final = 1.0
"""How long the store is waited for in vain, as for all that is said at a planned stop."""
_log = logging.getLogger("fieldbook.web")


class ServingSigns:
    """The signs of one web process."""

    def __init__(self, store: Store) -> None:
        """Tell this store; nothing is told before `start`."""
        self._store = store
        self._marks = LifeMarks(store)
        self._pauses = PartitionPauses(_log)
        self._turned = Event()
        self._stopping = False
        self._thread = Thread(target=self._run, name="serving-signs", daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def turn(self) -> None:
        """The event loop turns: requests are taken."""
        self._turned.set()

    def stop(self) -> None:
        """Tell no more, since the process was told to stop: the gap that may begin now is a planned one.

        Returns once that is said, or cannot be.
        """
        self._stopping = True
        self._turned.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._turned.wait()
            self._turned.clear()
            if self._stopping:
                break
            try:
                self._sign()
            except StoreUnavailable as error:
                _log.debug("the store cannot be told that requests are taken: %s", error)
            except Exception:  # noqa: BLE001 - whatever breaks, the signs must not stop
                _log.exception("the store cannot be told that requests are taken")
                LOOP_FAILURES.labels("serving_signs").inc()
        with suppress(StoreError), waiting_at_most(WAIT_SECONDS):
            now = now_milliseconds()
            for partition in range(self._store.partitions):
                self._marks.plan_stop(partition, now)

    def _sign(self) -> None:
        """Tell all partitions that answer.

        Raises:
            StoreUnavailable: none does.
        """
        asked = [each for each in range(self._store.partitions) if not self._pauses.is_left_alone(each)]
        with waiting_at_most(WAIT_SECONDS):
            try:
                heard = self._marks.serve_all(asked)
            except StoreRefused:
                # Also where a server has lost our functions: asked for by itself each one is loaded again.
                heard = dict.fromkeys(asked, False)
            for partition in asked:
                if not heard[partition]:
                    with suppress(*FAILURES), self._pauses.asking(partition):
                        self._marks.serve(partition)
