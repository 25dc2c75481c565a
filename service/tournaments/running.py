"""The thread that drives tournaments: it hears of games that are over from the feeds, and of time from a list.

It remembers how far it has read the feeds only while it lives: what it misses, or another one has done, is seen when
a tournament is looked at anyway. Several may be at work at once.
"""

import logging
from collections.abc import Callable, Sequence
from threading import Event
from typing import Final

from events.store.errors import StoreDamaged, StoreError
from events.store.event_store import FeedEntry
from service.catalogues.catalogues import Catalogues
from service.feeds.feed_follower import FeedConsumer, FeedFollower
from service.platform.clock import now_milliseconds
from service.platform.metrics import LOOP_FAILURES
from service.platform.timer import Due, Timer
from service.storage.partition_pauses import FAILURES
from service.storage.store import Store
from service.tournaments.driving import TournamentDriver
from service.tournaments.promises import table_of
from service.tournaments.store import TournamentNotFound

ENDINGS: Final = ("secret_revealed", "dealer_called")
"""The events with one of which the log of a game ends; where others play its deal, its secret is called for only."""
POLL_SECONDS: Final = 0.5
"""How often the list of what is due is looked at: a tournament that begins is paired within this time."""
LEFT_ALONE: Final = 30_000
"""Milliseconds for which a tournament is left alone that cannot be moved on."""
MOST_AT_ONCE: Final = 50
"""Tournaments of a partition that are looked at in one turn."""
_log = logging.getLogger("fieldbook.tournaments")


class TournamentRunner(FeedConsumer):
    """Drives the tournaments of a store."""

    tolerates_gaps = True

    def __init__(
        self, store: Store, catalogues: Catalogues, *, turn: Callable[[], object] = lambda: None
    ) -> None:
        """Drive these; `turn` is called again and again."""
        self._turn = turn
        self.driver = TournamentDriver(store, catalogues)
        self._store = store
        self._positions: dict[int, int] = {}
        self._heard: dict[str, None] = {}
        """Tournaments of which a game has ended."""
        self._left_alone: dict[str, int] = {}

    def run(self, stopping: Event) -> None:
        """Drive them until told to stop, through outages of the store."""
        timer = Timer(Due("tournaments", self.perform, POLL_SECONDS))
        FeedFollower(self._store, [self], log=_log, beat=self._turn, timer=timer).run(stopping)

    def perform(self, now: int) -> int | None:
        """Move on what is due by now, and say when the next thing is; what is left alone waits."""
        moments = self.driver.tournaments.records.moments()
        self._left_alone = {name: until for name, until in self._left_alone.items() if until > now}
        is_more = False
        for name in moments.due(now, MOST_AT_ONCE):
            is_more |= self._move_on(name, now)
        return now + 1 if is_more else moments.next_due(now)

    def position(self, partition: int) -> int:
        """How far a feed was read; from its end on at first."""
        if partition not in self._positions:
            self._positions[partition] = self._store.feed_end(partition)
        return self._positions[partition]

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        """Note which tournaments have a game that has ended."""
        del position
        for entry in entries:
            table = table_of(entry.game_id)
            if table is not None and self._has_ended(entry):
                self._heard[table[0]] = None
        self._positions[partition] = entries[-1].position

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Go on from its end."""
        del damage
        self._positions.pop(partition, None)

    def finish_turn(self, partitions: Sequence[int]) -> bool:
        """Move on the tournaments that were heard of; whether there is more to do at once."""
        del partitions
        heard, self._heard = self._heard, {}
        for name in heard:
            if self._move_on(name, now_milliseconds()):
                self._heard[name] = None
        return bool(self._heard)

    def _has_ended(self, entry: FeedEntry) -> bool:
        last = self._store.read(entry.game_id, entry.last_version - 1, 1)
        return bool(last) and last[0].type in ENDINGS

    def _move_on(self, name: str, now: int) -> bool:
        """Move a tournament on; whether there is more to do. One that is broken must not stop all others."""
        self._turn()
        if name in self._left_alone:
            return False
        try:
            return self.driver.move_on(name, now)
        except TournamentNotFound:
            return False
        except FAILURES as error:
            _log.warning("tournament %s waits for the store: %s", name, error)
        except StoreError as error:
            _log.error("tournament %s is left alone for a while: %s", name, error)
        except Exception:  # noqa: BLE001 - one broken tournament must not stop all others
            _log.exception("tournament %s is left alone for a while", name)
            LOOP_FAILURES.labels("tournaments").inc()
        self._left_alone[name] = now + LEFT_ALONE
        return False
