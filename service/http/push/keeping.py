"""A thread that looks at all streams now and then, one part of them after another, whoever sends them."""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from service.http.push import stream_limits
from service.platform.metrics import LOOP_FAILURES

_log = logging.getLogger("fieldbook.streams")


class Keeper:
    """The thread; it runs from the beginning on, until it is closed."""

    def __init__(self, look: Callable[[float], None]) -> None:
        """Call `look`, which must be quick, `stream_limits.PARTS` times every `stream_limits.pause()`.

        It is given the time of the monotonic clock.
        """
        self._look = look
        self._closing = Event()
        self._thread = Thread(target=self._run, name="stream-keeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        due = now = time.monotonic()
        while not self._closing.wait(due - now):
            now = time.monotonic()
            due = max(due + stream_limits.pause() / stream_limits.PARTS, now)
            try:
                self._look(now)
            except Exception:  # noqa: BLE001 - one broken stream must not stop all others
                _log.exception("the streams could not be looked at")
                LOOP_FAILURES.labels("stream_keeping").inc()
