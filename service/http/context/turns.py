"""Turns at long work: in each process one request at a time makes a long page or a piece of a record.

Python runs one thread at a time. Ten long pages made at once would have every command wait for its turn among ten;
one after the other they are ready as soon, and a command waits for one of them at most.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock
from typing import Final

from service.http.context.places import Places
from service.http.messages.problems import Problem

MOST_WAITING: Final = 16
"""Requests that wait for their turn at most: each holds a thread."""
OF_ONE: Final = 4
"""Of these of one caller, and of one address, at most."""
LONGEST_REST_SECONDS: Final = 0.05
"""Between two turns nobody does long work for as long as the first one took, and so long at most."""
LONGEST_TURN_SECONDS: Final = 0.25
"""Work that is done in pieces gives its turn to others after so long."""
WORKED_SECONDS: Final = 0.005
"""After so much of such work it rests for as long, while others are answered."""
LONG: Final = 100
"""Entries from which on a page is long."""


class Turns:
    """Who has the turn, and how many wait for theirs; safe to use from many threads."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._turn, self._lock = Lock(), Lock()
        self._places = Places()
        self._waiting = 0

    @contextmanager
    def at_long_work(self, whose: Iterable[str] | None) -> Iterator[None]:
        """Work within this when it is one's turn; `whose` work it is says `service.http.context.limits.callers`.

        Where that is None an answer goes on that has begun: it waits however many others do.

        Raises:
            Problem: 503 where too many wait, or too many of one of these.
        """
        shares = {} if whose is None else {"all": MOST_WAITING, **dict.fromkeys(whose, OF_ONE)}
        if self._places.take(shares) is not None:
            raise too_many()
        with self._lock:
            self._waiting += 1
        try:
            self._turn.acquire()
        finally:
            with self._lock:
                self._waiting -= 1
            self._places.give_back(shares)
        began = time.monotonic()
        try:
            yield
        finally:
            if self._waiting:
                # Whoever waits for the next turn waits a little longer, so that commands come in between.
                time.sleep(min(time.monotonic() - began, LONGEST_REST_SECONDS))
            self._turn.release()

    @contextmanager
    def in_pieces(
        self, whose: Iterable[str] | None, is_alone: Callable[[], bool] = lambda: True
    ) -> Iterator[Callable[[int], None]]:
        """The same for work of many small pieces; after each of them call what this yields, with its number.

        Others have their turn between two pieces, so however long all of it takes, nobody waits for all of it.
        While others are answered, which `is_alone` tells, it rests as long as it works: commands come in between.

        Raises:
            Problem: as `at_long_work`, before the first piece.
        """
        with ExitStack() as turn:
            turn.enter_context(self.at_long_work(whose))
            began = worked_since = time.monotonic()

            def give_way(_piece: int) -> None:
                nonlocal began, worked_since
                now = time.monotonic()
                if now - began >= LONGEST_TURN_SECONDS:
                    turn.close()
                    turn.enter_context(self.at_long_work(None))
                    began = worked_since = time.monotonic()
                elif now - worked_since >= WORKED_SECONDS and not is_alone():
                    time.sleep(min(now - worked_since, LONGEST_REST_SECONDS))
                    worked_since = time.monotonic()

            yield give_way


def too_many() -> Problem:
    """The answer where as much long work waits, or is under way, as may."""
    detail = (
        "Many long pages and records are being made here, or some others of yours; try again, or ask for fewer"
        " events."
    )
    return Problem(503, "too_many_pages", detail, headers={"Retry-After": "1"})


turns: Final = Turns()
"""Those of this process."""
