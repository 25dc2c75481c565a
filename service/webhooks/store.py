"""What webhooks keep in the store: who has to be told, what has to be told, what was, and what could not be.

{webhooks}:webhooks                hash: a webhook's id -> the webhook as JSON
{webhooks}:of:<key>                set: the ids of a key's webhooks
{webhooks}:changes                 number of changes, so that who remembers all of them sees that one has changed
{webhooks}:due                     sorted set: webhooks by when they are to be served next
{webhooks}:hold                    hash: a webhook -> until when nobody else may serve it
{webhooks}:health                  hash: a webhook -> how it has been doing, as JSON
{webhooks}:<id>:deliveries         hash: a delivery's id -> the delivery as JSON
{webhooks}:<id>:waiting, :delivered, :dead    sorted sets: ids by when they began to be so
{webhooks}:<id>:games              sorted set: games with something waiting, by when it may be tried
{webhooks}:<id>:queue:<game>       list: the ids of a game's waiting deliveries, in order

What happens in one step is in `events/store/redis/lua/webhook_functions.lua`. Times are milliseconds since the epoch;
everything here may raise `StoreUnavailable`.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from events.store.event_store import EventStore
from events.store.redis.redis_store import require_redis
from service.storage.due_index import DueIndex
from service.webhooks.deliveries import (
    DEAD,
    DELIVERED,
    STATUSES,
    WAITING,
    Claim,
    Delivery,
    Health,
    TooFarBehind,
)
from service.webhooks.signing import message_id
from service.webhooks.webhook import EVENTS, VERIFY

MOST_WAITING: Final = 10_000
"""Deliveries of one webhook that wait at most."""
KEPT: Final = {DELIVERED: 200, DEAD: 1000}
"""How many ended deliveries of one webhook are kept."""
LEASE_MILLISECONDS: Final = 15_000
"""How long a sender has a webhook for itself without a word: when it is killed another one takes over after that."""
TURN: Final = "game.turn"
"""The kind that gives way to a newer one of its game, while it has not been tried."""
_WEBHOOKS: Final = "{webhooks}:webhooks"
_CHANGES: Final = "{webhooks}:changes"
_DUE: Final = "{webhooks}:due"
_HOLD: Final = "{webhooks}:hold"
_HEALTH: Final = "{webhooks}:health"


class WebhookRecords:
    """The webhooks, each under its id."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        redis = require_redis(store)
        self._command, self._call = redis.connection.command, redis.functions.call

    def add(self, key: str, webhook: str, content: bytes, most: int) -> str:
        """Keep a webhook of a key that has fewer than `most`: `added`, `known` or `full`."""
        keys = _WEBHOOKS, _of(key), _CHANGES
        answer: bytes = self._call("webhook_register", keys, (webhook, content, most))
        return answer.decode()

    def get(self, webhook: str) -> bytes | None:
        """The webhook with this id, or None."""
        found: bytes | None = self._command("HGET", _WEBHOOKS, webhook)
        return found

    def all(self) -> list[bytes]:
        """All webhooks."""
        found: list[bytes] = self._command("HVALS", _WEBHOOKS)
        return found

    def of(self, key: str) -> list[bytes]:
        """The webhooks of a key."""
        names = self._command("SMEMBERS", _of(key))
        found = self._command("HMGET", _WEBHOOKS, *names) if names else []
        return [each for each in found if each is not None]

    def replace(self, webhook: str, state: str, since: int, content: bytes) -> bool:
        """Keep a webhook in place of the one that has been in this state since then; False where it is another."""
        return bool(self._call("webhook_replace", (_WEBHOOKS, _CHANGES), (webhook, state, since, content)))

    def remove(self, key: str, webhook: str) -> None:
        """Forget a webhook of a key."""
        self._call("webhook_remove", (_WEBHOOKS, _of(key), _CHANGES), (webhook,))

    def changes(self) -> int:
        """How often a webhook was added, replaced or removed."""
        return int(self._command("GET", _CHANGES) or 0)


class Deliveries:
    """The deliveries of all webhooks, each with its webhook and its id.

    Of one game a webhook is told in order: each game has a queue, and while its first delivery fails the others wait.
    Of what has ended only the newest is kept.
    """

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        redis = require_redis(store)
        self._command, self._call = redis.connection.command, redis.functions.call
        self._due = DueIndex(store, [_DUE])

    def add(self, webhook: str, delivery: Delivery, now: int) -> bool:
        """Put a delivery behind its game's others, once; False where it is known, or the webhook not active any more.

        Raises:
            TooFarBehind
        """
        keys = (_WEBHOOKS, _DUE, _HOLD, *_lists(webhook, delivery.game))
        gives_way = TURN if delivery.type == TURN else ""
        arguments = (webhook, *_content(delivery), delivery.game, now, MOST_WAITING, gives_way)
        found = self._call("delivery_add", keys, arguments)
        if found == b"full":
            raise TooFarBehind(webhook)
        return bool(found == b"added")

    def challenge(self, webhook: str, name: str, now: int) -> None:
        """Have an endpoint asked whether it wants to be told, unless it is being asked already."""
        # A challenge is about no game.
        if not self._command("LLEN", _key(webhook, "queue:")):
            self.add(webhook, Delivery(id=message_id(webhook, VERIFY, name), type=VERIFY, created=now), now)

    def claim(self, now: int, busy: Iterable[str] = ()) -> Claim | None:
        """Claim the webhook that has been due longest; None if none is due, or only webhooks of these busy keys."""
        lease = now + LEASE_MILLISECONDS
        found = self._call("delivery_claim", (_DUE, _HOLD, _WEBHOOKS), (now, lease, *busy))
        return None if found is None else Claim(found[0].decode(), lease, found[1].decode())

    def next_due(self, after: int) -> int | None:
        """When the first webhook after this moment is due; None where none is."""
        return self._due.next_due(after)

    def next(self, claim: Claim, now: int) -> Delivery | None:
        """The delivery that is due longest, of those that are the first of their game; the lease begins anew.

        None where none is due, or somebody else holds the webhook.
        """
        webhook, lease = claim.webhook, now + LEASE_MILLISECONDS
        keys = _DUE, _HOLD, _key(webhook, "games")
        game: bytes | None = self._call("delivery_next", keys, (webhook, claim.lease, now, lease))
        if game is None:
            return None
        claim.lease = lease
        first = self._command("LINDEX", _key(webhook, f"queue:{game.decode()}"), 0)
        return None if first is None else self.get(webhook, first.decode())

    def release(self, claim: Claim, pause_until: int = 0) -> None:
        """Let others serve a webhook, and nobody before `pause_until`."""
        keys = _DUE, _HOLD, _key(claim.webhook, "games")
        self._call("delivery_release", keys, (claim.webhook, claim.lease, pause_until))

    def retry(self, claim: Claim, delivery: Delivery) -> None:
        """Keep what an attempt has found out, unless the claim is lost; the next one is at `delivery.next`."""
        webhook = claim.webhook
        keys = _key(webhook, "deliveries"), _key(webhook, "games"), _HOLD
        next_at = delivery.next or 0
        self._call(
            "delivery_retry", keys, (*_content(delivery), delivery.game, next_at, webhook, claim.lease)
        )

    def end(self, webhook: str, delivery: Delivery, now: int, claim: Claim | None = None) -> None:
        """Keep that a delivery has ended as its status says, unless the claim that it was sent under is lost."""
        keys = (*_lists(webhook, delivery.game), _key(webhook, delivery.status), _HOLD)
        held = "" if claim is None else claim.lease
        arguments = (*_content(delivery), delivery.game, now, KEPT[delivery.status], webhook, held)
        self._call("delivery_end", keys, arguments)

    def again(self, webhook: str, delivery: Delivery, now: int) -> bool:
        """Have an ended delivery told once more, under its id; False where it is gone."""
        fresh = replace(delivery, status=WAITING, attempts=0, first=None, next=None, error="", again=True)
        ended = _key(webhook, DELIVERED), _key(webhook, DEAD)
        keys = (_WEBHOOKS, _DUE, _HOLD, *_lists(webhook, delivery.game), *ended)
        return bool(self._call("delivery_again", keys, (webhook, *_content(fresh), delivery.game, now)))

    def bury(self, webhook: str, reason: str, now: int, *, challenges: bool = True) -> None:
        """Give up all that waits for a webhook, or all but `challenges`; it can be asked for again by its id."""
        for name in self._command("ZRANGE", _key(webhook, WAITING), 0, -1):
            delivery = self.get(webhook, name.decode())
            if delivery is not None and (challenges or delivery.type != VERIFY):
                self.end(
                    webhook, replace(delivery, status=DEAD, next=None, error=delivery.error or reason), now
                )

    def hurry(self, webhook: str, now: int) -> None:
        """Try a challenge that waits at once, and forget that the endpoint was failing."""
        for each in (_HOLD, _HEALTH):
            self._command("HDEL", each, webhook)
        self._command("ZADD", _key(webhook, "games"), "XX", now, "")
        self._command("ZADD", _DUE, now, webhook)

    def overdue(self) -> tuple[int, int | None]:
        """How many deliveries wait in all, and since when the oldest does."""
        waiting = [self.waiting(each.decode()) for each in self._command("ZRANGE", _DUE, 0, -1)]
        oldest = min((at for _, at in waiting if at is not None), default=None)
        return sum(number for number, _ in waiting), oldest

    def get(self, webhook: str, delivery: str) -> Delivery | None:
        """A delivery, or None."""
        stored = self._command("HGET", _key(webhook, "deliveries"), delivery)
        return None if stored is None else msgspec.json.decode(stored, type=Delivery)

    def newest(self, webhook: str, limit: int, status: str | None = None) -> list[Delivery]:
        """At most so many deliveries of a webhook, the newest first."""
        names: list[bytes] = []
        for each in STATUSES if status is None else (status,):
            names += self._command("ZREVRANGE", _key(webhook, each), 0, limit - 1)
        found = self._command("HMGET", _key(webhook, "deliveries"), *names) if names else []
        read = (msgspec.json.decode(each, type=Delivery) for each in found if each is not None)
        return sorted(read, key=_place, reverse=True)[:limit]

    def health(self, webhook: str) -> Health:
        """How an endpoint has been doing."""
        stored = self._command("HGET", _HEALTH, webhook)
        return Health() if stored is None else msgspec.json.decode(stored, type=Health)

    def note_health(self, webhook: str, health: Health) -> None:
        """Keep how an endpoint has been doing."""
        self._command("HSET", _HEALTH, webhook, msgspec.json.encode(health))

    def waiting(self, webhook: str) -> tuple[int, int | None]:
        """How many deliveries of a webhook wait, and since when the oldest does."""
        first = self._command("ZRANGE", _key(webhook, WAITING), 0, 0, "WITHSCORES")
        return self._command("ZCARD", _key(webhook, WAITING)), int(first[1]) if first else None

    def forget(self, webhook: str) -> None:
        """Forget everything about a webhook that was removed."""
        self._command("ZREM", _DUE, webhook)
        for each in (_HOLD, _HEALTH):
            self._command("HDEL", each, webhook)
        for game in self._command("ZRANGE", _key(webhook, "games"), 0, -1):
            self._command("UNLINK", _key(webhook, f"queue:{game.decode()}"))
        for part in ("deliveries", "games", *STATUSES):
            self._command("UNLINK", _key(webhook, part))


def _content(delivery: Delivery) -> tuple[str, bytes]:
    return delivery.id, msgspec.json.encode(delivery)


def _place(delivery: Delivery) -> tuple[int, int, int]:
    """Where a delivery stands among others: one entry of the log can bring about several, in the order of EVENTS."""
    kind = list(EVENTS).index(delivery.type) if delivery.type in EVENTS else -1
    return delivery.created, delivery.version, kind


def _of(key: str) -> str:
    return f"{{webhooks}}:of:{key}"


def _lists(webhook: str, game: str) -> tuple[str, str, str, str]:
    deliveries, waiting, games = (_key(webhook, each) for each in ("deliveries", WAITING, "games"))
    return deliveries, waiting, games, _key(webhook, f"queue:{game}")


def _key(webhook: str, part: str) -> str:
    return f"{{webhooks}}:{webhook}:{part}"
