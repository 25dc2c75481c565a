"""Telling who is low on time: not a step of a log, but a moment that follows from one.

The projector keeps by which moment that will be (`service.timekeeping.due_games`); a timer looks what has come, reads
these games as they stand then, and puts each behind its next moment. Where a game has moved meanwhile it is left in
its place, and found again: what is told has an id that follows from the wait alone, so it is written down once.
"""

import logging
from contextlib import suppress
from typing import Final

from events.log.upcasting import UndecodableEvent
from events.store.errors import CheckpointMoved, GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from service.platform.timer import Due
from service.play.low_time import find_low
from service.play.timekeeping import TimeUncertain
from service.storage.checkpoints import Checkpoints
from service.storage.life_marks import Life, LifeMarks
from service.storage.partition_pauses import FAILURES, PartitionPauses
from service.timekeeping.due_games import LOW, NAME, due_index, move_game
from service.webhooks.fanout import Fanout
from service.webhooks.webhook_events import TIME_LOW

LOOK_SECONDS: Final = 1.0
MOST_AT_ONCE: Final = 64
"""Games of a partition in one look at most; the next one follows within a second."""
_log = logging.getLogger("fieldbook.webhooks")


class LowTime:
    """Finds who is low on time, and has the webhooks told."""

    def __init__(self, store: EventStore, fanout: Fanout) -> None:
        """Look at the games of this store."""
        self._store = store
        self._fanout = fanout
        self._checkpoints = Checkpoints(store)
        self._marks = LifeMarks(store)
        self._pauses = PartitionPauses(_log)

    def declaration(self) -> Due:
        """What the timer does."""
        return Due("seats that are low on time", self.perform, LOOK_SECONDS)

    def perform(self, now: int) -> int | None:
        """Tell who is low on time by now, and say when the next one will be; nothing where nobody listens.

        Raises:
            StoreError
        """
        if not self._fanout.listens(TIME_LOW):
            return None
        partitions = [each for each in range(self._store.partitions) if not self._pauses.is_left_alone(each)]
        index = due_index(self._store, partitions, LOW)
        due: dict[int, list[str]] = {}
        for game in index.due(now, MOST_AT_ONCE):
            due.setdefault(self._store.partition_of(game), []).append(game)
        for partition, games in due.items():
            with suppress(*FAILURES, TimeUncertain), self._pauses.asking(partition):
                life = self._marks.look(partition)
                for game in games:
                    self._look_at(partition, game, now, life)
        return index.next_due(now)

    def _look_at(self, partition: int, game: str, now: int, life: Life) -> None:
        """Tell who is low on time in a game, and put it behind the next moment.

        Raises:
            TimeUncertain: nobody can say that of any game of this partition yet.
            StoreUnavailable, StoreRefused
        """
        # Before the game is read: what moves it afterwards moves this, too.
        position = self._checkpoints.checkpoint(partition, NAME)
        moment = None
        try:
            seen = self._fanout.newest(game)
            if seen.log.clock is not None:
                low = find_low(seen.log.clock, now, life)
                self._fanout.tell_low_time(seen, low.waits)
                moment = low.next
        except (GameNotFound, StoreDamaged, UndecodableEvent, LookupError) as error:
            _log.warning("nobody is told whose time is low in game %s: %s", game, error)
        with suppress(CheckpointMoved):
            self._checkpoints.project(partition, NAME, position, position, [move_game(LOW, game, moment)])
