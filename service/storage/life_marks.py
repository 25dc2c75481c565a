"""Marks of life of the partitions: when the time of their games was watched last, and when it was not.

Whoever watches the time renews each partition's mark every second, in the store that has the log, up to the moment at
which a web process has last said that it takes requests. Where a mark was silent for long, nobody could play, or
nobody can say whether: the store, the web, the projector or the machine was away, or the partition took nothing. That
gap is written down before the mark is renewed, so nobody sees a fresh mark without it. Some time for settling belongs
to it. Nobody's time runs in a gap: see `service.play.timekeeping`.
"""

from collections.abc import Iterable
from time import monotonic
from typing import Any, Final, NamedTuple

from events.store.errors import StoreRefused
from events.store.event_store import EventStore
from events.store.redis.keys import feed_head_key, life_keys, quarantine_key
from events.store.redis.redis_store import require_redis

LONGEST_SILENCE: Final = 3_000
"""Milliseconds after a mark for which it still holds."""
SETTLING: Final = 10_000
"""Milliseconds after a gap that belong to it: people have to find back."""
LATEST_BEAT: Final = 500
"""Milliseconds after which the server does not take a mark any more that it was sent."""
MOST_GAPS: Final = 100
"""Gaps of a partition that are kept; of more the two oldest become one."""
OUTAGE: Final = "outage"
MAINTENANCE: Final = "maintenance"


class Gap(NamedTuple):
    """A span for which nobody says that games could be played (milliseconds since the epoch)."""

    since: int
    """0 where nothing is known of the time before."""
    until: int
    reason: str


class Life(NamedTuple):
    """What is known of a partition's life."""

    alive: int
    """The last mark, in milliseconds since the epoch; 0 for none."""
    gaps: tuple[Gap, ...]
    """The gaps before it, oldest first."""
    planned: int = 0
    """When a stop was planned that is not over yet, in milliseconds since the epoch; 0 for none."""

    def is_known_at(self, moment: int) -> bool:
        """Whether somebody watched the time then, so that every gap before is known."""
        return moment - self.alive <= LONGEST_SILENCE

    def gaps_until(self, moment: int) -> tuple[Gap, ...]:
        """The gaps as they will have been up to a moment, also where nobody has watched since the last mark."""
        if self.is_known_at(moment):
            return self.gaps
        reason = MAINTENANCE if self.planned and self.planned >= self.alive - LONGEST_SILENCE else OUTAGE
        return (*self.gaps, Gap(self.alive, moment, reason))


class Beaten(NamedTuple):
    """A mark that was renewed, or left alone: the partition is quarantined, or the server got to it too late."""

    is_alive: bool

    settled: int
    """When the last gap before it ends; 0 where there was none."""
    gap: Gap | None
    """The one that was found with it."""


class LifeMarks:
    """The marks of a store; every method may raise what a store raises."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)
        self._heard: dict[int, tuple[int, float]] = {}
        """What the server's time was when a partition was beaten last, and when its answer came (`monotonic`)."""

    def look(self, partition: int) -> Life:
        """What is known of a partition's life, as of one moment."""
        mark, gaps, stopping, _ = life_keys(partition)
        alive, found, planned = self._store.connection.commands(
            ("GET", mark), ("LRANGE", gaps, 0, -1), ("GET", stopping)
        )
        return Life(int(alive or 0), tuple(map(_gap, found)), int(planned or 0))

    def beat(self, partition: int, now: int) -> Beaten:
        """Renew a partition's mark, once the gap before it is written down, if there was one."""
        return self._hear(partition, self._store.functions.call("beat", *self._question(partition, now)))

    def beat_all(self, partitions: Iterable[int], now: int) -> dict[int, Beaten | None]:
        """The same for several at once, by one question; None for those that do not answer."""
        asked = list(partitions)
        functions = self._store.functions
        questions = [functions.arguments("beat", *self._question(each, now)) for each in asked]
        replies = self._store.connection.answered_commands(questions, repeat=True)
        return {
            partition: None if reply is None else self._hear(partition, reply)
            for partition, reply in zip(asked, replies, strict=True)
        }

    def serve_all(self, partitions: Iterable[int]) -> dict[int, bool]:
        """Say that this process takes requests, for several partitions by one question; which of them have heard."""
        asked = list(partitions)
        questions = [self._store.functions.arguments("serve", (_served_key(each),), ()) for each in asked]
        replies = self._store.connection.answered_commands(questions, repeat=True)
        return {partition: reply is not None for partition, reply in zip(asked, replies, strict=True)}

    def serve(self, partition: int) -> None:
        """The same for one."""
        self._store.functions.call("serve", (_served_key(partition),), ())

    def plan_stop(self, partition: int, now: int) -> None:
        """The gap that begins now is a planned one."""
        self._store.connection.command("SET", life_keys(partition)[2], now)

    def _question(self, partition: int, now: int) -> tuple[tuple[str, ...], tuple[int | str, ...]]:
        keys = (*life_keys(partition), feed_head_key(partition), quarantine_key(partition))
        return keys, (now, LONGEST_SILENCE, SETTLING, MOST_GAPS, self._latest(partition))

    def _latest(self, partition: int) -> int | str:
        """The last moment at which a mark counts that is sent now, by the server; empty where that is not known."""
        heard = self._heard.get(partition)
        if heard is None:
            return ""
        here, came = heard
        return here + int(1000 * (monotonic() - came)) + LATEST_BEAT

    def _hear(self, partition: int, reply: Any) -> Beaten:
        mark, settled, found, here = reply
        self._heard[partition] = int(here), monotonic()
        is_alive = mark not in {b"quarantined", b"late"}
        return Beaten(is_alive, int(settled), _gap(found) if found else None)


def _served_key(partition: int) -> str:
    return life_keys(partition)[3]


def _gap(stored: bytes) -> Gap:
    try:
        since, until, reason = stored.decode().split(" ")
        return Gap(int(since), int(until), reason)
    except ValueError as error:
        raise StoreRefused(f"A gap in a mark of life cannot be read: {stored[:80]!r}") from error
