"""`python -m service.projector`: follows the feeds, keeps the list of games, and has finished games validated.

The feed is the truth: a batch of a partition's feed is applied and its checkpoint moved in one step, so a killed
projector goes on where it stood. The queue is only a hint: a sweep enqueues again whatever is finished and not
validated.
"""

import logging
import signal
import time
from collections.abc import Iterable
from threading import Event
from typing import Any

import msgspec

from events.codec import EVENT_TYPES, decode_event
from events.domain_events import DomainEvent, GameCreated, GameEnded, GameStarted, SeatTaken, SecretRevealed
from events.recorded import RecordedEvent
from events.redis_store import RedisEventStore
from events.store_errors import CheckpointMoved, StoreDamaged, StoreError
from events.upcasting import UndecodableEvent
from service.admission import Admissions
from service.archive_settings import archive_settings
from service.checkpoints import Checkpoints, Write
from service.dispatching import Dispatcher
from service.process_logging import log_to_standard_error
from service.read_models import GAMES, GameList, Summary
from service.store_opening import open_store

BATCH = 200
"""Feed entries applied in one step."""
SWEEP_SECONDS = 15.0
"""How often finished games without a report are enqueued again."""
ARCHIVING_SECONDS = 3600.0
"""How often archiving is asked for at least; more often where games are archived sooner than that."""
_log = logging.getLogger("fieldbook.projector")


_TELLING = (GameCreated, SeatTaken, GameStarted, GameEnded, SecretRevealed)
"""The events that change more of a summary than its version; the others are not even read."""


def summarised(summary: Summary | None, recorded: RecordedEvent) -> Summary | None:
    """The summary of a game after one more event.

    Raises:
        UndecodableEvent: the event cannot be read.
    """
    if summary is not None and EVENT_TYPES.get(recorded.type) not in _TELLING:
        return msgspec.structs.replace(summary, version=recorded.version)
    event: DomainEvent = decode_event(recorded)
    if isinstance(event, GameCreated):
        nobody = (None,) * event.players
        return Summary(event.game, event.system, "open", nobody, recorded.version, recorded.at)
    if summary is None:
        return None
    return msgspec.structs.replace(
        summary, version=recorded.version, **_changes(summary, event, recorded.version)
    )


def _changes(summary: Summary, event: DomainEvent, version: int) -> dict[str, Any]:
    match event:
        case SeatTaken():
            return {
                "players": (*summary.players[: event.seat], event.name, *summary.players[event.seat + 1 :])
            }
        case GameStarted():
            return {"status": "running", "opened": version - 1}
        case GameEnded():
            return {"scores": event.scores, "winners": event.winners}
        case SecretRevealed():
            return {"status": "finished"}
        case _:
            return {}


class Projector:
    """Projects the list of games from the feeds."""

    def __init__(
        self, store: RedisEventStore, dispatcher: Dispatcher, archiving_seconds: float | None = None
    ) -> None:
        """Project what is in this store, and ask for archiving every so many seconds, or never."""
        self._archiving_seconds = archiving_seconds
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._games = GameList(store)
        self._admissions = Admissions(store)
        self._dispatcher = dispatcher

    def project(self, partition: int) -> bool:
        """Apply the next batch of a partition's feed; False when there was none.

        Raises:
            StoreUnavailable
        """
        position = self._checkpoints.checkpoint(partition, GAMES)
        entries = self._store.read_feed(partition, position, BATCH)
        if not entries:
            return False
        games = list(dict.fromkeys(entry.game_id for entry in entries))
        writes: list[Write] = []
        finished = []
        for game in games:
            last = max(entry.last_version for entry in entries if entry.game_id == game)
            try:
                summary = self._moved(game, last)
            except (StoreDamaged, UndecodableEvent, LookupError) as error:
                _log.error("game %s is left out of the list: %s", game, error)
                continue
            writes += _writes(summary)
            if summary.status == "finished":
                finished.append(summary)
        try:
            self._checkpoints.project(partition, GAMES, position, entries[-1].position, writes)
        except CheckpointMoved:
            _log.warning("another projector is at work on partition %d", partition)
            return True
        for summary in finished:
            self._dispatcher.enqueue(summary.game, summary.version)
        return True

    def _moved(self, game: str, last: int) -> Summary:
        summary = self._games.summary(game)
        known = summary.version if summary is not None else 0
        if last > known:
            for recorded in self._store.read(game, known, last - known):
                summary = summarised(summary, recorded)
            if summary is not None and not known:
                house = self._admissions.house(game)
                summary = msgspec.structs.replace(
                    summary,
                    visibility=house.visibility,
                    spectator_delay=house.spectator_delay,
                    creator=house.creator,
                )
        if summary is None:
            raise LookupError(f"the log of game {game} does not begin with its creation")
        return summary

    def catch_up(self, partitions: Iterable[int]) -> None:
        """Apply everything that these partitions' feeds hold.

        Raises:
            StoreUnavailable
        """
        for partition in partitions:
            while self.project(partition):
                pass

    def run(self, stopping: Event) -> None:
        """Follow the feeds until told to stop, through outages of the store."""
        next_sweep = next_archiving = 0.0
        while not stopping.is_set():
            try:
                self.catch_up(range(self._store.partitions))
                if time.monotonic() >= next_sweep:
                    self._dispatcher.sweep()
                    next_sweep = time.monotonic() + SWEEP_SECONDS
                if self._archiving_seconds is not None and time.monotonic() >= next_archiving:
                    self._dispatcher.enqueue_archiving()
                    next_archiving = time.monotonic() + self._archiving_seconds
                positions = {
                    partition: self._checkpoints.checkpoint(partition, GAMES)
                    for partition in range(self._store.partitions)
                }
                self._store.follow(positions, 1.0)
            except StoreError as error:
                _log.warning("waiting for the store: %s", error)
                stopping.wait(1.0)


def _writes(summary: Summary) -> list[Write]:
    writes = [
        Write("HSET", "games", (summary.game, msgspec.json.encode(summary))),
        Write("ZADD", "created", (summary.created, summary.game)),
    ]
    if summary.status == "finished":
        writes.append(Write("SADD", "finished", (f"{summary.game}/{summary.version}",)))
    return writes


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    log_to_standard_error()
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    store = open_store()
    _log.info("following %d partitions", store.partitions)
    archive = archive_settings()
    often = min(ARCHIVING_SECONDS, max(1.0, archive.after_seconds)) if archive.target is not None else None
    Projector(store, Dispatcher(store), often).run(stopping)


if __name__ == "__main__":
    main()
