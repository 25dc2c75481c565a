"""Turns at long work: in each process one request at a time makes a long page or a piece of a record.

Python runs one thread at a time. Ten long pages made at once would have every command wait for its turn among ten;
one after the other they are ready as soon, and a command waits for one of them at most.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from service.http.messages.problems import Problem

MOST_WAITING: Final = 8
"""Requests that wait for their turn at most: each holds a thread."""
LONGEST_REST_SECONDS: Final = 0.05
"""Between two turns nobody does long work for as long as the first one took, and so long at most."""
LONG: Final = 100
"""Entries from which on a page is long."""


class Turns:
    """Who has the turn, and how many wait for theirs; safe to use from many threads."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._turn, self._lock = Lock(), Lock()
        self._waiting = 0

    @contextmanager
    def at_long_work(self, *, has_begun: bool = False) -> Iterator[None]:
        """Work within this when it is one's turn; an answer that `has_begun` waits however many others do.

        Raises:
            Problem: 503 where too many wait.
        """
        with self._lock:
            if self._waiting >= MOST_WAITING and not has_begun:
                detail = (
                    "Many long pages and records are being made here; try again, or ask for fewer events."
                )
                raise Problem(503, "too_many_pages", detail, headers={"Retry-After": "1"})
            self._waiting += 1
        try:
            self._turn.acquire()
        finally:
            with self._lock:
                self._waiting -= 1
        began = time.monotonic()
        try:
            yield
        finally:
            if self._waiting:
                # Whoever waits for the next turn waits a little longer, so that commands come in between.
                time.sleep(min(time.monotonic() - began, LONGEST_REST_SECONDS))
            self._turn.release()


turns: Final = Turns()
"""Those of this process."""
