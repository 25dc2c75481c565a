"""A clock in the test's hand for the web's side of the service and the sweeper, and the marks of life of games."""

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.platform.clock import now_milliseconds
from service.storage.life_marks import LifeMarks

_WHERE = (
    "service.http.resources.game.games",
    "service.http.resources.game.commands",
    "service.http.resources.game.disputes",
    "service.http.resources.game.expiries",
    "service.http.short_way.sending",
    "service.timekeeping.sweeper",
)
QUICK = {"bank": 0, "increment": 0, "cap": 20, "answer": 20, "grace": 1, "bot": "random"}
"""A clock by which everybody has 20 seconds."""


class WatchedTime:
    """The time, which goes on only when it is told to, and is watched unless it is said to be not.

    Attributes:
        now: milliseconds since the epoch.
    """

    def __init__(self, store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> None:
        """Begin now."""
        self.now = now_milliseconds()
        self._marks, self._partitions = LifeMarks(store), range(store.partitions)
        for module in _WHERE:
            monkeypatch.setattr(f"{module}.now_milliseconds", lambda: self.now)
        self.beat()

    def beat(self) -> None:
        """Renew all marks."""
        self._marks.beat_all(self._partitions, self.now)

    def watch(self, seconds: float) -> None:
        """So much time passes, and somebody watches it."""
        end = self.now + int(seconds * 1000)
        while self.now < end:
            self.now = min(end, self.now + 2000)
            self.beat()

    def be_away(self, seconds: float) -> None:
        """So much time passes, and nobody watches it; the marks stay as they are."""
        self.now += int(seconds * 1000)
