"""`python -m service.projector`: follows the feeds, keeps the read models, and has work done that is due.

The feed is the truth: a batch of a partition's feed is applied and its checkpoint moved in one step, so a killed
projector goes on where it stood, and several may be at work. The queue is only a hint: a timer enqueues again
whatever is finished and not validated, and every game with a case whose time is over. A thread beside that watches
the time of games that are played by a clock, and another one drives tournaments.
"""

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import Final

from events.store.errors import ArchiveUnavailable, StoreDamaged, StoreUnavailable
from events.store.event_store import FeedEntry
from service.archive.files import archive_target
from service.catalogues.catalogues import Catalogues, catalogues_at_start
from service.feeds.feed_follower import BATCH, FeedConsumer, FeedFollower
from service.feeds.poll_schedule import PollSchedule
from service.jobs.dispatching import Dispatcher
from service.platform.configuration import ARCHIVE_AFTER, WITNESSES
from service.platform.timer import Due, Timer, every
from service.platform.watchdog import Turns
from service.players.log_rewriting import LogRewriting
from service.projections.declared import PROJECTIONS
from service.projections.progress import unprojectable_games
from service.projections.projection import Applied, Projection
from service.projections.store import Generations
from service.server.service_process import run_process
from service.storage.feed_watermarks import FeedWatermarks
from service.storage.heartbeats import Heartbeat, count_if_possible
from service.storage.partition_watch import PartitionWatch, feed_watermarks
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.telemetry.spans import UNRECORDED, working_on
from service.telemetry.store import AppendTraces
from service.timekeeping.due_games import DueGames
from service.timekeeping.sweeper import Sweeper
from service.tournaments.running import TournamentRunner
from service.verification.signing_keys import open_signing_keys
from service.verification.transparency_log import TransparencyLog
from service.verification.witnessing import COUNTS as WITNESSING
from service.verification.witnessing import Witnessing

GATHER_SECONDS: Final = 0.1
"""How long it rests after it has projected something, so that more can gather: that late lists are at most."""
ARCHIVING_SECONDS: Final = 3600.0
"""How often archiving is asked for at least; more often where games are archived sooner than that."""
_log = logging.getLogger("fieldbook.projector")


class ProjectionConsumer(FeedConsumer):
    """Projects the feeds into the generation of a read model that is in use."""

    def __init__(
        self, store: Store, kind: type[Projection], dispatcher: Dispatcher, watch: PartitionWatch
    ) -> None:
        """Keep a read model of this store; `watch` is told what was read."""
        self._store = store
        self._kind = kind
        self._generations = Generations(store, kind.shape)
        self._dispatcher = dispatcher
        self._watch = watch
        self._traces = AppendTraces(store)
        self._retried: set[int] = set()
        self._stopped: set[tuple[int, int]] = set()
        """Partitions and generations that are projected no further."""

    def begin(self, partitions: Sequence[int]) -> None:
        """Read once more what could not be read, once in the life of a process."""
        for partition in set(partitions) - self._retried:
            try:
                self._report(self._in_use(partition)[1].retry(partition))
            except ArchiveUnavailable as away:
                _log.warning("partition %d: games in quarantine wait for the archive: %s", partition, away)
            self._retried.add(partition)

    def position(self, partition: int) -> int | None:
        """How far the generation in use is; None where it cannot go on."""
        generation, projection = self._in_use(partition)
        return None if (partition, generation) in self._stopped else projection.position(partition)

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        """Apply the entries, and say what became of which game."""
        with self._traces.following("project", partition, entries) as spans:
            applied = self._in_use(partition)[1].apply(partition, position, entries)
            self._watch.seen(partition, entries)
            self._report(applied)
            for game, version in applied.finished:
                with working_on(spans.get((game, version), UNRECORDED)):
                    self._dispatcher.enqueue(game, version)

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Project the partition no further, until a rebuild has brought another generation into use."""
        self._stopped.add((partition, self._generations.in_use(partition)))
        _log.error("partition %d is projected no further: %s", partition, damage)

    def _in_use(self, partition: int) -> tuple[int, Projection]:
        generation = self._generations.in_use(partition)
        return generation, self._kind(self._store, self._generations.name(generation))

    def _report(self, applied: Applied) -> None:
        for game, reason in applied.unprojectable:
            _log.error("game %s is in quarantine: %s", game, reason)
        for game in applied.released:
            _log.info("game %s has left quarantine", game)


class Projector:
    """Keeps all declared read models, and has done what is due."""

    def __init__(
        self,
        store: Store,
        dispatcher: Dispatcher,
        archiving_seconds: float | None = None,
        watermarks: FeedWatermarks | None = None,
        *,
        batch: int = BATCH,
        projections: Sequence[type[Projection]] = PROJECTIONS,
        also_due: Sequence[Due] = (),
        catalogues: Catalogues | None = None,
        turns: Turns | None = None,
    ) -> None:
        """Project what is in this store, and ask for archiving every so many seconds, or never.

        Tables of tournaments are played with these catalogues, or those that come with Fieldbook. `turns` is told of
        the loops that watch the time and drive tournaments.
        """
        self._store = store
        self._catalogues = catalogues or Catalogues()
        self._watch = PartitionWatch(store, watermarks)
        self._followed = list(range(store.partitions))
        self._has_told = False
        self._turns = turns or Turns()
        consumers = [ProjectionConsumer(store, each, dispatcher, self._watch) for each in projections]
        for each in consumers:
            each.batch = batch
        self._consumers: list[FeedConsumer] = [*consumers, DueGames(store)]
        due = [*dispatcher.declarations(), *also_due]
        if archiving_seconds is not None:
            due.append(every("runs of archiving", archiving_seconds, dispatcher.enqueue_archiving))
        self._follower = FeedFollower(
            store,
            self._consumers,
            log=_log,
            partitions=self._healthy,
            beat=Heartbeat(store, "projector", self._turns).beat,
            timer=Timer(*due),
            schedule=PollSchedule(GATHER_SECONDS),
        )

    def project(self, partition: int) -> bool:
        """Apply the next batch of a partition's feed; whether there may be more.

        Raises:
            StoreUnavailable: also when the game's archive cannot be reached.
        """
        return self._follower.step(partition)

    def catch_up(self, partitions: Iterable[int], stopping: Event | None = None) -> bool:
        """Apply everything that these partitions' feeds hold; False where the archive is needed and away.

        Raises:
            StoreUnavailable
        """
        return self._follower.catch_up(partitions, stopping)

    def begin(self) -> None:
        """Do what is done once: read the games in quarantine again.

        Raises:
            StoreUnavailable
        """
        for each in self._consumers:
            each.begin(self.partitions())

    def partitions(self) -> list[int]:
        """The partitions that are followed: those that are not quarantined."""
        return self._followed

    def run(self, stopping: Event) -> None:
        """Follow the feeds, and watch the time, until told to stop, through outages of the store."""
        sweeper = Sweeper(self._store, turn=partial(self._turns.turn, "clocks"))
        watching = Thread(target=sweeper.run, args=(stopping,), name="clocks", daemon=True)
        watching.start()
        turn = partial(self._turns.turn, "tournaments")
        runner = TournamentRunner(self._store, self._catalogues, turn=turn)
        driving = Thread(target=runner.run, args=(stopping,), name="tournaments", daemon=True)
        driving.start()
        self._follower.run(stopping)
        watching.join()
        driving.join()
        self._watch.close()

    def _healthy(self) -> list[int]:
        self._followed = self._watch.healthy_lately()
        if not self._has_told:
            with suppress(StoreUnavailable):
                self._tell_quarantine()
            self._has_told = True
        return self._followed

    def _tell_quarantine(self) -> None:
        if left := unprojectable_games(self._store):
            _log.error("%d games are in quarantine; `fieldbook projections status` names them", len(left))


def _projector(settings: StoreSettings, store: Store) -> Projector:
    is_archived = archive_target(settings) is not None
    often = min(ARCHIVING_SECONDS, max(1.0, ARCHIVE_AFTER.value())) if is_archived else None
    return Projector(
        store,
        Dispatcher(store),
        often,
        feed_watermarks(settings, store),
        also_due=[*_witnessing(settings, store), LogRewriting(store).declaration()],
        catalogues=catalogues_at_start(),
    )


def _witnessing(settings: StoreSettings, store: Store) -> list[Due]:
    """Nothing, and no keys and no tree in this process, where nobody witnesses the log."""
    witnesses = WITNESSES.value()
    if not witnesses:
        return []
    log = TransparencyLog(store, open_signing_keys(settings))

    def count(name: str, outcome: str) -> None:
        count_if_possible(store, (WITNESSING, name, outcome))

    return [Witnessing(log, witnesses, count=count).declaration()]


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    run_process("projector", _projector, needs_queue=True)


if __name__ == "__main__":
    main()
