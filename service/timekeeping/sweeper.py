"""Watching the time: the marks of life, and recording what is over where nobody else does it.

It has a thread of its own, so that a projector that is far behind, or waits for a sick partition, does not look as if
nobody had watched. Several may be at work at once: what one has recorded the others find recorded.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice, zip_longest
from threading import Event
from typing import Final

from events.game.table import Table
from events.store.errors import GameNotFound, StoreDamaged, StoreError
from events.store.waiting import waiting_at_most
from service.platform.clock import now_milliseconds
from service.platform.metrics import LOOP_FAILURES
from service.platform.timer import Due, Timer
from service.play.command_handling import CommandHandling
from service.play.deciding import Refused
from service.play.outcome import CommandWatch, TooBusy
from service.play.tables import Tables
from service.play.timekeeping import TimeUncertain, closes_at, next_moment
from service.storage.due_index import DueIndex
from service.storage.life_marks import Beaten, LifeMarks
from service.storage.partition_pauses import FAILURES, PartitionPauses
from service.storage.store import Store
from service.timekeeping.due_games import due_index

BEAT_SECONDS: Final = 1.0
MOST_AT_ONCE: Final = 256
"""Games of a partition that are looked at in one sweep at most, and games to which one gives time back in all."""
WAIT_SECONDS: Final = 1.0
"""How long the store is waited for in vain by one question: marks must not grow old for one partition."""
STOP_SECONDS: Final = 2.0
"""The same for all that is said at a planned stop."""
LEFT_ALONE_SECONDS: Final = 30.0
"""How long a game is left alone whose clock cannot be served."""
LATELY: Final = 3_600_000
"""Milliseconds after a gap in which a process that starts looks once more whether it was given back."""
_ALWAYS: Final = 2**53
_log = logging.getLogger("fieldbook.clocks")


class Sweeper:
    """Watches the time of all games of a store."""

    def __init__(
        self,
        store: Store,
        watch: CommandWatch | None = None,
        *,
        turn: Callable[[], object] = lambda: None,
    ) -> None:
        """Watch these; `watch` is told what is recorded, and `turn` is called again and again."""
        self._store = store
        self._turn = turn
        self._handling = CommandHandling(store, Tables(store), watch)
        self._marks = LifeMarks(store)
        self._pauses = PartitionPauses(_log)
        self._beaten: dict[int, Beaten] = {}
        """What the last beat has said of the partitions that are alive."""
        self._beaten_at = float("-inf")
        self._left_alone: dict[str, float] = {}
        self._known: set[int] = set()
        """Partitions of which this process has renewed the mark before."""
        self._owed: dict[int, dict[str, None]] = {}
        """Games to which a gap may have to be given back, by partition."""
        self._again = _ALWAYS
        """When to look again at what could not be recorded in this sweep."""

    def run(self, stopping: Event) -> None:
        """Watch until told to stop, through outages of the store; the gap that begins then was planned."""
        timer = Timer(Due("the time of games", self.perform, BEAT_SECONDS))
        while not stopping.is_set():
            self._turn()
            timer.run_due()
            stopping.wait(timer.seconds_left(BEAT_SECONDS))
        with suppress(StoreError), waiting_at_most(STOP_SECONDS):
            self.plan_stop()

    def perform(self, now: int) -> int | None:
        """Renew the marks, record what is over by now, and say when the next thing will be.

        Raises:
            StoreError: no partition answers.
        """
        try:
            with waiting_at_most(WAIT_SECONDS):
                self._beat(now)
            gives_on = self._give_back()
            moment = self._sweep(now)
            return now + 1 if gives_on else moment
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - whatever breaks, the marks must not stop
            _log.exception("the time of games cannot be watched")
            LOOP_FAILURES.labels("life_marks").inc()
            return None

    def plan_stop(self) -> None:
        """Say that the gap which begins now is a planned one.

        Raises:
            StoreError
        """
        now = now_milliseconds()
        for partition in range(self._store.partitions):
            self._marks.plan_stop(partition, now)

    def _beat(self, now: int) -> None:
        """Renew all marks, of those that answer."""
        asked = [each for each in range(self._store.partitions) if not self._pauses.is_left_alone(each)]
        self._beaten, self._beaten_at = {}, time.monotonic()
        try:
            found = self._marks.beat_all(asked, now)
        except FAILURES:
            # Also where a server has lost our functions: asked for by itself each one is loaded again.
            found = dict.fromkeys(asked)
        for partition in asked:
            beaten = found[partition]
            if beaten is None:
                beaten = self._beat_alone(partition, now)
            if beaten is None:
                continue
            if beaten.gap is not None:
                _log.warning("partition %d: nobody watched the time: %s", partition, beaten.gap)
            if beaten.is_alive:
                self._beaten[partition] = beaten
                if beaten.gap is not None or (partition not in self._known and beaten.settled > now - LATELY):
                    waiting = due_index(self._store, [partition]).due(_ALWAYS)
                    self._owed.setdefault(partition, {}).update(dict.fromkeys(waiting))
                self._known.add(partition)

    def _beat_alone(self, partition: int, now: int) -> Beaten | None:
        with suppress(*FAILURES), self._pauses.asking(partition):
            return self._marks.beat(partition, now)
        return None

    def _give_back(self) -> bool:
        """Give back what was lost to games that waited in a gap: it must be in nobody's bank. Whether more can be.

        What is lost on the way, by one that is killed at it, is given back before anything expires at the latest.
        """
        for game in list(islice(self._owed_in_turn(), MOST_AT_ONCE)):
            if self._serve(game, gives_back=True):
                del self._owed[self._store.partition_of(game)][game]
        return next(self._owed_in_turn(), None) is not None

    def _owed_in_turn(self) -> Iterator[str]:
        """The games to which a gap has to be given back and can be, of each partition one after the other."""
        owed = (games for partition, games in self._owed.items() if self._is_served(partition))
        return (game for each in zip_longest(*owed) for game in each if game is not None)

    def _keep_beating(self) -> None:
        self._turn()
        if time.monotonic() - self._beaten_at >= BEAT_SECONDS:
            with waiting_at_most(WAIT_SECONDS):
                self._beat(now_milliseconds())

    def _sweep(self, now: int) -> int | None:
        """Record what is over by now in the partitions that are alive and settled; when the next thing will be.

        Not where time has to be given back first: what is recorded later harms nobody.
        """
        settled = [
            partition
            for partition, each in self._beaten.items()
            if each.settled <= now and not self._owed.get(partition)
        ]
        if not settled:
            return None
        self._again = _ALWAYS
        index = due_index(self._store, settled)
        for game in self._worth_a_look(index, now):
            self._serve(game)
        moment = min(index.next_due(now) or _ALWAYS, self._again)
        return None if moment == _ALWAYS else moment

    def _is_served(self, partition: int) -> bool:
        """Whether a partition takes something now."""
        return partition in self._beaten and not self._pauses.is_left_alone(partition)

    def _serve(self, game: str, *, gives_back: bool = False) -> bool:
        """Record in a game what there is to record, with the marks kept alive; whether its partition took it."""
        self._keep_beating()
        partition = self._store.partition_of(game)
        if self._is_served(partition):
            with suppress(*FAILURES), waiting_at_most(WAIT_SECONDS), self._pauses.asking(partition):
                self._record(game, gives_back=gives_back)
                return True
        return False

    def _record(self, game: str, *, gives_back: bool = False) -> None:
        """Record what is over in a game, or what is given back to it.

        Raises:
            StoreUnavailable, StoreRefused
        """
        try:
            now = now_milliseconds()
            recorded = self._handling.record_time(game, now, gives_back=gives_back)
            if not gives_back and not recorded.entries:
                self._close(recorded.loaded.table, now)
        except TimeUncertain as uncertain:
            self._again = min(self._again, uncertain.until)
        except (TooBusy, GameNotFound):
            # The next sweep finds it again, where it is there still.
            return
        except FAILURES:
            raise
        except (Refused, StoreDamaged) as error:
            _log.warning("the clock of game %s is left alone for a while: %s", game, error)
            self._leave_alone(game)
        except Exception:  # noqa: BLE001 - one broken game must not stop the clocks of all others
            _log.exception("the clock of game %s is left alone for a while", game)
            LOOP_FAILURES.labels("clocks").inc()
            self._leave_alone(game)

    def _close(self, table: Table, now: int) -> None:
        """Close a game that nobody plays, where it is time for that.

        Raises:
            StoreUnavailable, GameNotFound, Refused
        """
        moment = closes_at(table.log, table.state)
        if moment is None or moment > now or self._handling.close_untouched(table.game, now):
            return
        if next_moment(table.log, table.state) == moment:
            # In a gap nobody could play it: it has to wait longer than its log says.
            self._leave_alone(table.game)

    def _leave_alone(self, game: str) -> None:
        self._left_alone[game] = time.monotonic() + LEFT_ALONE_SECONDS

    def _worth_a_look(self, index: DueIndex, at: int) -> list[str]:
        """What is due, of each partition so much at most; what is left alone takes the place of nothing else."""
        now, looked_at = time.monotonic(), Counter[int]()
        self._left_alone = {game: until for game, until in self._left_alone.items() if until > now}
        found: list[str] = []
        for game in index.due(at, MOST_AT_ONCE + len(self._left_alone)):
            partition = self._store.partition_of(game)
            if game not in self._left_alone and looked_at[partition] < MOST_AT_ONCE:
                looked_at[partition] += 1
                found.append(game)
        return found
