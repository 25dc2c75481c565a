"""Following the feeds and writing down what webhooks have to be told, each thing under an id that follows from it.

First the deliveries are written, then the feed's checkpoint is moved: a process that is killed in between writes the
same again, which changes nothing. Without a checkpoint the feeds are followed from their ends; webhooks only become
active afterwards, so nothing that one of them should hear is missed.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

import msgspec

from events.game.clock import Wait
from events.log.upcasting import UndecodableEvent
from events.store.errors import ArchiveUnavailable, CheckpointMoved, GameNotFound, StoreDamaged
from events.store.event_store import EventStore, FeedEntry
from service.access.game_access import GameAccess, GamePolicy
from service.access.keys import Key
from service.access.rights import Rights
from service.feeds.feed_follower import FeedConsumer
from service.platform.clock import now_milliseconds
from service.play.snapshots import Snapshot
from service.projections.progress import WEBHOOKS as NAME
from service.storage.checkpoints import Checkpoints, Write
from service.storage.partition_pauses import FAILURES
from service.telemetry.spans import UNRECORDED, current_span, follow, working_on
from service.telemetry.store import AppendTraces
from service.verification.store import PENDING, Validations
from service.webhooks.deliveries import Delivery, TooFarBehind
from service.webhooks.registry import Webhooks, disable
from service.webhooks.signing import message_id
from service.webhooks.store import Deliveries
from service.webhooks.webhook import Webhook
from service.webhooks.webhook_events import OF_THE_END, WebhookEvent, WebhookEvents, time_low

VALIDATED: Final = "game.validated"
_AWAITING: Final = "awaiting"
"""The part with the finished games whose verdict somebody wants to hear."""
_HOUSES: Final = 10_000
_log = logging.getLogger("fieldbook.webhooks")


class WebhookAudience(msgspec.Struct, frozen=True):
    """That a webhook hears of a game, and how late."""

    webhook: Webhook
    delay: int
    """Versions that it is behind until the game has finished."""
    waits_for_the_end: bool
    """Whether it hears of nothing before the end."""

    @property
    def hears_of_ends_only(self) -> bool:
        """Whether nothing in the middle of a game is for it, so that most of a log need not be read."""
        return self.waits_for_the_end or OF_THE_END.issuperset(self.webhook.events)


def audience_of(webhook: Webhook, key: Key, game: str, policy: GamePolicy) -> WebhookAudience | None:
    """How a webhook of this key hears of a game with these house rules; None where it does not.

    This is the one place that decides what a webhook may be told.
    """
    rights = Rights(policy, key)
    watches = rights.is_creator or rights.may("read_games") or rights.may("arbitrate")
    concerned = {
        "own": rights.is_creator,
        # What the key would find in the list of games.
        "all": policy.is_listed or watches or rights.may("audit"),
        "one": webhook.game == game and rights.knows_of_it,
    }
    if not concerned[webhook.games]:
        return None
    is_found_late = webhook.games == "all" and not (policy.is_listed or watches)
    return WebhookAudience(webhook, rights.delay, rights.waits_for_the_end or is_found_late)


class Fanout(FeedConsumer):
    """Writes down what the webhooks of an installation have to be told. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore, webhooks: Webhooks, deliveries: Deliveries) -> None:
        """Follow the feeds of this store."""
        self._store = store
        self._webhooks = webhooks
        self._deliveries = deliveries
        self._checkpoints = Checkpoints(store)
        self._validations = Validations(store)
        self._traces = AppendTraces(store)
        self._events = WebhookEvents(store)
        # House rules never change.
        self._policy = lru_cache(_HOUSES)(GameAccess(store).policy)

    def begin(self, partitions: Sequence[int]) -> None:
        """Put the checkpoints that are missing at the ends of their feeds, once for an installation."""
        for partition in partitions:
            if not self._checkpoints.has_begun(partition, NAME):
                self._move(partition, 0, self._store.feed_end(partition))

    def position(self, partition: int) -> int:
        """How far a feed was followed."""
        return self._checkpoints.checkpoint(partition, NAME)

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> int:
        """Go through the next entries of a partition's feed; returns how many deliveries were written down."""
        # Only now: a webhook that became active before one of these entries is among them.
        listening = self._listening()
        written, writes = 0, list[Write]()
        with self._traces.following("tell webhooks", partition, entries if listening else ()) as spans:
            for entry in entries:
                heard = self._audiences(entry.game_id, listening) if listening else []
                events = [(each, event) for each in heard for event in self._of(entry, each)]
                with working_on(spans.get((entry.game_id, entry.last_version), UNRECORDED)):
                    written += sum(self._tell(each, event) for each, event in events)
                if any(
                    VALIDATED in each.webhook.events and event.status == "finished" for each, event in events
                ):
                    writes.append(Write("SADD", _AWAITING, (entry.game_id,)))
        self._checkpoints.project(partition, NAME, position, entries[-1].position, writes)
        return written

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Go on from the end of a feed that has lost what was read of it."""
        position, end = self.position(partition), self._store.feed_end(partition)
        if end < position:
            _log.warning("partition %d is followed from its end, %d: %s", partition, end, damage)
            self._move(partition, position, end)

    def finish_turn(self, partitions: Sequence[int]) -> bool:
        """Tell the verdicts that have come in."""
        for partition in partitions:
            # One that fails is found out when its feed is read; nothing is lost, and the others go on.
            with suppress(*FAILURES):
                self.tell_verdicts(partition)
        return False

    def tell_verdicts(self, partition: int) -> int:
        """Go through the finished games whose verdict is awaited; returns how many deliveries were written down."""
        games = self._checkpoints.members(partition, NAME, _AWAITING)
        if not games:
            return 0
        listening = self._listening()
        written = 0
        for game, verdict in zip(games, self._validations.verdicts(partition, games), strict=True):
            if verdict == PENDING:
                continue
            event = self._verdict(game, verdict)
            if event is not None:
                led_to_it = self._traces.find(partition, [event.hash]).get(event.hash, "")
                with follow("tell verdict", "consumer", led_to_it):
                    written += sum(self._tell(each, event) for each in self._audiences(game, listening))
            self._checkpoints.remove_member(partition, NAME, _AWAITING, game)
        return written

    def listens(self, kind: str) -> bool:
        """Whether anybody wants to hear of this type of event."""
        return any(kind in webhook.events for webhook, _ in self._listening())

    def newest(self, game: str) -> Snapshot:
        """A game as it stands.

        Raises:
            GameNotFound, StoreDamaged, UndecodableEvent, ArchiveUnavailable
        """
        return self._events.newest(game)

    def tell_low_time(self, seen: Snapshot, waits: Sequence[Wait]) -> None:
        """Tell who is low on time in a game as it stands.

        Who sees the game late is told nothing: how its clock stands now is not theirs to know.
        """
        for heard in self._audiences(seen.state.game, self._listening()) if waits else ():
            if not heard.delay and not heard.waits_for_the_end:
                for wait in waits:
                    self._tell(heard, time_low(seen, wait))

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

    def _audiences(self, game: str, listening: list[tuple[Webhook, Key]]) -> list[WebhookAudience]:
        policy: GamePolicy = self._policy(game)
        found = (audience_of(webhook, key, game, policy) for webhook, key in listening)
        return [each for each in found if each is not None]

    def _of(self, entry: FeedEntry, heard: WebhookAudience) -> tuple[WebhookEvent, ...]:
        """What an entry means to somebody; nothing where the game cannot be read, which others look after."""
        try:
            if heard.hears_of_ends_only and not self._events.ends_game(entry):
                return ()
            found = self._events.of(entry, heard.delay)
        except (StoreDamaged, GameNotFound, UndecodableEvent, ArchiveUnavailable, LookupError) as error:
            _log.warning(
                "nobody is told of game %s, version %d: %s", entry.game_id, entry.last_version, error
            )
            return ()
        if heard.waits_for_the_end:
            return tuple(each for each in found if each.type == "game.finished")
        return found

    def _verdict(self, game: str, verdict: str) -> WebhookEvent | None:
        report = next(iter(self._validations.reports(game)), None)
        if report is None:
            return None
        try:
            return self._events.validated(game, int(report["version"]), verdict, int(report["at"]))
        except (StoreDamaged, GameNotFound, UndecodableEvent, ArchiveUnavailable, LookupError) as error:
            _log.warning("nobody is told of the verdict on game %s: %s", game, error)
            return None

    def _tell(self, heard: WebhookAudience, event: WebhookEvent) -> bool:
        webhook = heard.webhook
        if event.type not in webhook.events or event.at < webhook.since:
            return False
        delivery = Delivery(
            id=message_id(webhook.id, event.type, event.game, *(event.names or (event.version, event.hash))),
            type=event.type,
            game=event.game,
            version=event.version,
            payload=event.payload(),
            created=now_milliseconds(),
            traceparent=current_span().traceparent,
        )
        try:
            return self._deliveries.add(webhook.id, delivery, delivery.created)
        except TooFarBehind:
            disable(self._webhooks, self._deliveries, webhook, "too_far_behind")
            return False

    def _move(self, partition: int, position: int, to: int) -> None:
        try:
            self._checkpoints.project(partition, NAME, position, to, [])
        except CheckpointMoved:
            _log.warning("another process follows partition %d for the webhooks", partition)
