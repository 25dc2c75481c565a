"""A thread that looks at all streams now and then, whoever sends them."""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from service.http.push import stream_limits

_log = logging.getLogger("fieldbook.streams")


class Keeper:
    """The thread; it runs from the beginning on, until it is closed."""

    def __init__(self, look: Callable[[float], None]) -> None:
        """Call `look`, which must be quick, with the time of the monotonic clock every `stream_limits.pause()`."""
        self._look = look
        self._closing = Event()
        self._thread = Thread(target=self._run, name="stream-keeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(stream_limits.pause()):
            try:
                self._look(time.monotonic())
            except Exception:  # noqa: BLE001 - one broken stream must not stop all others
                _log.exception("the streams could not be looked at")
