"""Following the feeds and writing down what webhooks have to be told, each thing under an id that follows from it.

First the deliveries are written, then the feed's checkpoint is moved: a process that is killed in between writes the
same again, which changes nothing. Without a checkpoint the feeds are followed from their ends; webhooks only become
active afterwards, so nothing that one of them should hear is missed.
"""

import logging
from functools import lru_cache
from typing import Final

from events.redis_keys import projection_key
from events.redis_store import RedisEventStore
from events.store import FeedEntry
from events.store_errors import ArchiveUnavailable, CheckpointMoved, GameNotFound, StoreDamaged
from events.upcasting import UndecodableEvent
from service.admission import Admissions, House
from service.checkpoints import CHECKPOINT, Checkpoints, Write
from service.clock import now_milliseconds
from service.keys import Key
from service.progress import WEBHOOKS as NAME
from service.projections.feed_batches import feed_batch
from service.validations import PENDING, Validations
from service.webhooks.deliveries import Deliveries, Delivery, TooFarBehind
from service.webhooks.disabling import disable
from service.webhooks.doorbells import Doorbell, Doorbells
from service.webhooks.hearing import Hearing, hearing
from service.webhooks.registry import Webhooks
from service.webhooks.signing import message_id
from service.webhooks.webhook import Webhook

BATCH: Final = 200
"""Feed entries looked at in one step."""
VALIDATED: Final = "game.validated"
_AWAITING: Final = "awaiting"
"""The part with the finished games whose verdict somebody wants to hear."""
_HOUSES: Final = 10_000
_log = logging.getLogger("fieldbook.webhooks")


class Ringing:
    """Writes down what the webhooks of an installation have to be told. Every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore, webhooks: Webhooks, deliveries: Deliveries) -> None:
        """Follow the feeds of this store."""
        self._store = store
        self._webhooks = webhooks
        self._deliveries = deliveries
        self._checkpoints = Checkpoints(store)
        self._validations = Validations(store)
        self._doorbells = Doorbells(store)
        # House rules never change.
        self._house = lru_cache(_HOUSES)(Admissions(store).house)

    def begin(self) -> None:
        """Put the checkpoints that are missing at the ends of their feeds, once for an installation."""
        for partition in range(self._store.partitions):
            if self._store.connection.command("GET", projection_key(partition, NAME, CHECKPOINT)) is None:
                self._move(partition, 0, self._store.feed_end(partition), [])

    def positions(self) -> dict[int, int]:
        """How far each feed was followed."""
        return {each: self._checkpoints.checkpoint(each, NAME) for each in range(self._store.partitions)}

    def ring(self, partition: int) -> int:
        """Go through the next entries of a partition's feed; returns how many deliveries were written down."""
        position = self._checkpoints.checkpoint(partition, NAME)
        try:
            entries = feed_batch(self._store, partition, position, BATCH)
        except StoreDamaged as damaged:
            end = self._store.feed_end(partition)
            if end < position:
                _log.warning("partition %d is followed from its end, %d: %s", partition, end, damaged)
                self._move(partition, position, end, [])
            return 0
        if not entries:
            return 0
        # Only now: a webhook that became active before one of these entries is among them.
        listening = self._listening()
        written, writes = 0, list[Write]()
        for entry in entries:
            heard = self._hearing(entry.game_id, listening) if listening else []
            doorbells = [(each, bell) for each in heard for bell in self._of(entry, each)]
            written += sum(self._tell(each, bell) for each, bell in doorbells)
            if any(
                VALIDATED in each.webhook.events and bell.status == "finished" for each, bell in doorbells
            ):
                writes.append(Write("SADD", _AWAITING, (entry.game_id,)))
        self._move(partition, position, entries[-1].position, writes)
        return written

    def tell_verdicts(self, partition: int) -> int:
        """Go through the finished games whose verdict is awaited; returns how many deliveries were written down."""
        key = self._checkpoints.read_model_key(partition, NAME, _AWAITING)
        games = [each.decode() for each in self._store.connection.command("SMEMBERS", key)]
        if not games:
            return 0
        listening = self._listening()
        written = 0
        for game, verdict in zip(games, self._validations.verdicts(partition, games), strict=True):
            if verdict == PENDING:
                continue
            doorbell = self._verdict(game, verdict)
            if doorbell is not None:
                written += sum(self._tell(each, doorbell) for each in self._hearing(game, listening))
            self._store.connection.command("SREM", key, game)
        return written

    def _listening(self) -> list[tuple[Webhook, Key]]:
        """The active webhooks with their keys; one whose key is good for nothing any more is disabled at once."""
        now = now_milliseconds()
        found = []
        for webhook in self._webhooks.active():
            key, reason = self._webhooks.holder(webhook, now)
            if key is not None:
                found.append((webhook, key))
            else:
                disable(self._webhooks, self._deliveries, webhook, reason)
        return found

    def _hearing(self, game: str, listening: list[tuple[Webhook, Key]]) -> list[Hearing]:
        house: House = self._house(game)
        found = (hearing(webhook, key, game, house) for webhook, key in listening)
        return [each for each in found if each is not None]

    def _of(self, entry: FeedEntry, heard: Hearing) -> tuple[Doorbell, ...]:
        """What an entry means to somebody; nothing where the game cannot be read, which others look after."""
        try:
            found = self._doorbells.of(entry, heard.delay)
        except (StoreDamaged, GameNotFound, UndecodableEvent, ArchiveUnavailable, LookupError) as error:
            _log.warning(
                "nobody is told of game %s, version %d: %s", entry.game_id, entry.last_version, error
            )
            return ()
        if heard.waits_for_the_end:
            return tuple(each for each in found if each.type == "game.finished")
        return found

    def _verdict(self, game: str, verdict: str) -> Doorbell | None:
        report = next(iter(self._validations.reports(game)), None)
        if report is None:
            return None
        try:
            return self._doorbells.validated(game, int(report["version"]), verdict, int(report["at"]))
        except (StoreDamaged, GameNotFound, UndecodableEvent, ArchiveUnavailable, LookupError) as error:
            _log.warning("nobody is told of the verdict on game %s: %s", game, error)
            return None

    def _tell(self, heard: Hearing, doorbell: Doorbell) -> bool:
        webhook = heard.webhook
        if doorbell.type not in webhook.events or doorbell.at < webhook.since:
            return False
        delivery = Delivery(
            id=message_id(webhook.id, doorbell.type, doorbell.game, doorbell.version, doorbell.hash),
            type=doorbell.type,
            game=doorbell.game,
            version=doorbell.version,
            payload=doorbell.payload(),
            created=now_milliseconds(),
        )
        try:
            return self._deliveries.add(webhook.id, delivery, delivery.created)
        except TooFarBehind:
            disable(self._webhooks, self._deliveries, webhook, "too_far_behind")
            return False

    def _move(self, partition: int, position: int, to: int, writes: list[Write]) -> None:
        try:
            self._checkpoints.project(partition, NAME, position, to, writes)
        except CheckpointMoved:
            _log.warning("another process follows partition %d for the webhooks", partition)
