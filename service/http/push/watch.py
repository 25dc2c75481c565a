"""Hearing of one game for a request that waits for it: in a thread, or wherever it is told of news."""

import time
from collections.abc import Callable
from threading import Event
from typing import Final

LOOK_SECONDS: Final = 1.0
"""How often a thread that waits looks whether its client is still there: who goes away must not hold a place."""


class Watch:
    """A place to wait for a game; safe to use from many threads."""

    def __init__(self, game: str) -> None:
        """Hear of this game."""
        self.game = game
        self._news = Event()
        self.heard: Callable[[], object] = self._news.set
        """Called whenever something was heard; must be quick."""
        self._version = 0
        self._is_lost = False

    def tell(self, version: int) -> None:
        """The game has come to this version."""
        self._version = version
        self.heard()

    def lose(self) -> None:
        """What was heard is worth nothing: the log has to be read."""
        self._version, self._is_lost = 0, True
        self.heard()

    def look(self) -> None:
        """The log is about to be read: what is heard from now on is news."""
        self._is_lost = False

    def is_past(self, version: int) -> bool:
        """Whether the log may have more than this version."""
        return self._is_lost or self._version > version

    def wait(self, version: int, seconds: float, is_gone: Callable[[], bool]) -> None:
        """Hold this thread until the log may have more or nobody waits any more, so many seconds at most."""
        ends = time.monotonic() + seconds
        while not self.is_past(version) and not is_gone() and (left := ends - time.monotonic()) > 0:
            self._news.wait(min(left, LOOK_SECONDS))
            self._news.clear()
