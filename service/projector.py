"""`python -m service.projector`: follows the feeds, keeps the list of games, and has work done that is due.

The feed is the truth: a batch of a partition's feed is applied and its checkpoint moved in one step, so a killed
projector goes on where it stood, and several may be at work. The queue is only a hint: a sweep enqueues again
whatever is finished and not validated, and every game with a case whose time is over.
"""

import logging
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from threading import Event
from typing import Final

from events.redis_store import RedisEventStore
from events.store_errors import ArchiveUnavailable, CheckpointMoved, StoreDamaged, StoreError
from service.archive_settings import archive_settings
from service.clock import now_milliseconds
from service.dispatching import Dispatcher
from service.heartbeats import Heartbeat
from service.parent_watch import end_with_parents
from service.partition_watch import PartitionWatch, witness_of
from service.process_logging import log_to_standard_error
from service.progress import quarantined_games
from service.projections.game_projection import BATCH, Applied, GameProjection
from service.projections.generations import Generations, generation_name
from service.rounds import Rounds, gathered
from service.start_report import say_that_it_starts
from service.store_at_start import queue_at_start, settings_at_start, store_at_start
from service.validations import Validations
from service.witness import Witness

SWEEP_SECONDS: Final = 15.0
"""How often finished games without a report, and cases whose time is over, are enqueued again."""
ARCHIVING_SECONDS: Final = 3600.0
"""How often archiving is asked for at least; more often where games are archived sooner than that."""
_PAUSE_SECONDS: Final = 1.0
STOP_SECONDS = 10.0
"""How long the step under way may take when what this process belongs to is gone."""
_log = logging.getLogger("fieldbook.projector")


class Projector:
    """Projects the list of games from the feeds into the generation that is in use."""

    def __init__(
        self,
        store: RedisEventStore,
        dispatcher: Dispatcher,
        archiving_seconds: float | None = None,
        witness: Witness | None = None,
        batch: int = BATCH,
    ) -> None:
        """Project what is in this store, and ask for archiving every so many seconds, or never."""
        self._watch = PartitionWatch(store, witness)
        self._archiving_seconds = archiving_seconds
        self._store = store
        self._generations = Generations(store)
        self._dispatcher = dispatcher
        self._batch = batch
        self._followed = list(range(store.partitions))
        self._stopped: dict[tuple[int, int], str] = {}
        self._reached: dict[int, tuple[int, int]] = {}
        """Of each partition, the generation in use and its position, as this projector knows them."""
        self._heartbeat = Heartbeat(store.connection, "projector")

    def project(self, partition: int) -> bool:
        """Apply the next batch of a partition's feed; False when that was its end.

        Raises:
            StoreDamaged: the feed does not hold together.
            StoreUnavailable
        """
        self._heartbeat.beat()
        applied = self._step(partition, partial(GameProjection.apply, partition=partition, limit=self._batch))
        if applied is None:
            return False
        self._watch.seen(partition, applied.entries)
        for game, version in applied.finished:
            self._dispatcher.enqueue(game, version)
        return not applied.entries or len(applied.entries) == self._batch

    def catch_up(self, partitions: Iterable[int], stopping: Event | None = None) -> bool:
        """Apply everything that these partitions' feeds hold; False where the archive is needed and away.

        A partition whose feed does not hold together is stopped, and the others go on. When it is to stop it leaves
        the rest, which may be hours of work.

        Raises:
            StoreUnavailable
        """
        complete = True
        for partition in partitions:
            place = partition, self._generations.in_use(partition)
            if place in self._stopped:
                continue
            try:
                while not (stopping is not None and stopping.is_set()) and self.project(partition):
                    pass
            except StoreDamaged as damaged:
                self._stopped[place] = str(damaged)
                _log.error("partition %d is projected no further: %s", partition, damaged)
            except ArchiveUnavailable as away:
                _log.warning("partition %d waits for the archive: %s", partition, away)
                complete = False
        return complete

    def begin(self) -> None:
        """Do what is done once: read the games in quarantine again, and list what a former release judged.

        Raises:
            StoreUnavailable
        """
        validations = Validations(self._store)
        for partition in self.partitions():
            try:
                validations.list_all(partition)
                self._step(partition, partial(GameProjection.retry, partition=partition))
            except ArchiveUnavailable as away:
                _log.warning("partition %d: games in quarantine wait for the archive: %s", partition, away)
        if left := quarantined_games(self._store):
            _log.error("%d games are in quarantine; `fieldbook projections status` names them", len(left))

    def partitions(self) -> list[int]:
        """The partitions that are followed: those that are not quarantined."""
        return self._followed

    def run(self, stopping: Event) -> None:
        """Follow the feeds until told to stop, through outages of the store."""
        next_sweep = next_archiving = next_packs = 0.0
        begun = False
        rounds, positions = Rounds(), dict[int, int]()
        while not stopping.is_set():
            try:
                self._followed = self._watch.healthy_lately()
                if not begun:
                    self.begin()
                    begun = True
                looked_at = rounds.due(self.partitions())
                complete = self.catch_up(looked_at, stopping)
                if time.monotonic() >= next_packs:
                    self._dispatcher.sweep_evidence()
                    next_packs = time.monotonic() + _PAUSE_SECONDS
                if time.monotonic() >= next_sweep:
                    self._dispatcher.sweep()
                    self._dispatcher.sweep_disputes(now_milliseconds())
                    next_sweep = time.monotonic() + SWEEP_SECONDS
                if self._archiving_seconds is not None and time.monotonic() >= next_archiving:
                    self._dispatcher.enqueue_archiving()
                    next_archiving = time.monotonic() + self._archiving_seconds
                positions = self._positions(looked_at, positions)
                if complete and positions:
                    rounds.moved(gathered(self._store, positions, _PAUSE_SECONDS))
                else:
                    rounds.begin_anew()
                    stopping.wait(_PAUSE_SECONDS)
            except StoreError as error:
                _log.warning("waiting for the store: %s", error)
                rounds.begin_anew()
                stopping.wait(_PAUSE_SECONDS)
        self._watch.close()

    def _positions(self, looked_at: Sequence[int], known: Mapping[int, int]) -> dict[int, int]:
        """Behind which positions there is something to do; of partitions not looked at, as they were known."""
        followed = self.partitions()
        found = {each: known[each] for each in followed if each in known and each not in looked_at}
        for partition in looked_at:
            if partition not in self._reached:
                generation = self._generations.in_use(partition)
                projection = GameProjection(self._store, generation_name(generation))
                self._reached[partition] = generation, projection.position(partition)
            generation, position = self._reached[partition]
            if (partition, generation) not in self._stopped:
                found[partition] = position
        return found

    def _step(self, partition: int, step: Callable[[GameProjection], Applied | None]) -> Applied | None:
        """Take a step in the generation in use, and say what became of which game."""
        generation = self._generations.in_use(partition)
        try:
            applied = step(GameProjection(self._store, generation_name(generation)))
        except CheckpointMoved:
            _log.warning("another projector is at work on partition %d", partition)
            self._reached.pop(partition, None)
            return Applied(0)
        if applied is not None:
            self._reached[partition] = generation, applied.position
            for game, reason in applied.quarantined:
                _log.error("game %s is in quarantine: %s", game, reason)
            for game in applied.released:
                _log.info("game %s has left quarantine", game)
        return applied


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    log_to_standard_error()
    end_with_parents(STOP_SECONDS)
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    queue_at_start()
    settings = settings_at_start()
    store = store_at_start(settings)
    say_that_it_starts("projector", settings, store)
    archive = archive_settings()
    often = min(ARCHIVING_SECONDS, max(1.0, archive.after_seconds)) if archive.target is not None else None
    Projector(store, Dispatcher(store), often, witness_of(settings, store)).run(stopping)


if __name__ == "__main__":
    main()
