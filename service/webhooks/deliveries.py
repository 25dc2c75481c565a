"""What has to be told to webhooks, what was, and what could not be: in the store, so that no process has to live.

Of one game a webhook is told in order: each game has a queue, and while its first delivery fails the others wait. Of
what has ended only the newest is kept.

{webhooks}:due                     sorted set: webhooks by when they are to be served next
{webhooks}:hold                    hash: a webhook -> until when nobody else may serve it
{webhooks}:health                  hash: a webhook -> how it has been doing, as JSON
{webhooks}:<id>:deliveries         hash: a delivery's id -> the delivery as JSON
{webhooks}:<id>:waiting, :delivered, :dead    sorted sets: ids by when they began to be so
{webhooks}:<id>:games              sorted set: games with something waiting, by when it may be tried
{webhooks}:<id>:queue:<game>       list: the ids of a game's waiting deliveries, in order
"""

from typing import Any, Final, Literal

import msgspec

from events.redis_pool import Argument
from events.redis_store import RedisEventStore
from service.webhooks import delivery_scripts
from service.webhooks.registry import WEBHOOKS
from service.webhooks.signing import message_id
from service.webhooks.webhook import EVENTS, VERIFY

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"
STATUSES: Final = (WAITING, DELIVERED, DEAD)
MOST_WAITING: Final = 10_000
"""Deliveries of one webhook that wait at most."""
KEPT: Final = {DELIVERED: 200, DEAD: 1000}
"""How many ended deliveries of one webhook are kept."""
LEASE_MILLISECONDS: Final = 15_000
"""How long a sender has a webhook for itself without a word: when it is killed another one takes over after that."""
TURN: Final = "game.turn"
"""The kind that gives way to a newer one of its game, while it has not been tried."""
COUNTS: Final = "webhook_deliveries"
"""Under this name attempts are counted."""
_DUE: Final = "{webhooks}:due"
_HOLD: Final = "{webhooks}:hold"
_HEALTH: Final = "{webhooks}:health"


class Delivery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a webhook is told, and how that went."""

    id: str
    """Stays the same in every attempt: the receiver's means to know it again."""
    type: str
    game: str = ""
    version: int = 0
    payload: str = ""
    """The JSON that is sent; empty for a challenge, which is made anew with every attempt."""
    created: int = 0
    """Milliseconds since the epoch, as every time here."""
    status: Literal["waiting", "delivered", "dead"] = WAITING
    attempts: int = 0
    first: int | None = None
    """When it was tried first."""
    last: int | None = None
    """When it was tried last."""
    next: int | None = None
    """When it may be tried again, where an attempt has failed."""
    error: str = ""
    """What went wrong the last time: one of `posting.ERRORS`, or why it is tried no more."""
    answered: int | None = None
    """The status of the last answer."""
    again: bool = False
    """Whether it was asked for once more."""

    def described(self) -> dict[str, Any]:
        """The delivery as JSON."""
        return {
            "id": self.id,
            "type": self.type,
            "game": self.game or None,
            "version": self.version or None,
            "payload": msgspec.json.decode(self.payload) if self.payload else None,
            "created": self.created,
            "status": self.status,
            "attempts": self.attempts,
            "last": self.last,
            "next": self.next if self.status == WAITING else None,
            "error": self.error or None,
            "answered": self.answered,
        }


class Health(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How an endpoint has been doing."""

    failures: int = 0
    """Attempts that failed since the last one that did not."""
    failing_since: int | None = None
    last_delivered: int | None = None


class Claim(msgspec.Struct):
    """A webhook that a sender has for itself, and until when."""

    webhook: str
    lease: int


class TooFarBehind(Exception):
    """As much waits for a webhook as may wait."""


class Deliveries:
    """The deliveries of all webhooks. Every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep them in this store."""
        self._command = store.connection.command

    def add(self, webhook: str, delivery: Delivery, now: int) -> bool:
        """Have something told to a webhook, once; False where it is known, or the webhook is not active any more.

        Raises:
            TooFarBehind
        """
        keys = (WEBHOOKS, _DUE, _HOLD, *self._lists(webhook, delivery.game))
        arguments = (webhook, delivery.id, msgspec.json.encode(delivery), delivery.game, now, MOST_WAITING)
        gives_way = TURN if delivery.type == TURN else ""
        found = self._run(delivery_scripts.ADD, keys, *arguments, gives_way)
        if found == b"full":
            raise TooFarBehind(webhook)
        return bool(found == b"added")

    def challenge(self, webhook: str, name: str, now: int) -> None:
        """Have an endpoint asked whether it wants to be told, unless it is being asked already."""
        if not self._command("LLEN", _key(webhook, "queue:")):
            self.add(webhook, Delivery(id=message_id(webhook, VERIFY, name), type=VERIFY, created=now), now)

    def claim(self, now: int) -> Claim | None:
        """Take the webhook that has been due longest for oneself; None where none is due."""
        lease = now + LEASE_MILLISECONDS
        found = self._run(delivery_scripts.CLAIM, (_DUE, _HOLD), now, lease)
        return None if found is None else Claim(found.decode(), lease)

    def next(self, claim: Claim, now: int) -> Delivery | None:
        """The delivery that is due longest, of those that are the first of their game; the lease begins anew."""
        lease = now + LEASE_MILLISECONDS
        keys = _DUE, _HOLD, _key(claim.webhook, "games")
        found = self._run(delivery_scripts.NEXT, keys, claim.webhook, claim.lease, now, lease)
        if found is None:
            return None
        claim.lease = lease
        first = self._command("LINDEX", _key(claim.webhook, f"queue:{found.decode()}"), 0)
        return None if first is None else self.get(claim.webhook, first.decode())

    def release(self, claim: Claim, pause_until: int = 0) -> None:
        """Let others serve a webhook, and nobody before `pause_until`."""
        keys = _DUE, _HOLD, _key(claim.webhook, "games")
        self._run(delivery_scripts.RELEASE, keys, claim.webhook, claim.lease, pause_until)

    def retry(self, webhook: str, delivery: Delivery) -> None:
        """Keep what an attempt has found out; the next one is at `delivery.next`."""
        keys = _key(webhook, "deliveries"), _key(webhook, "games")
        stored = msgspec.json.encode(delivery)
        self._run(delivery_scripts.RETRY, keys, delivery.id, stored, delivery.game, delivery.next or 0)

    def end(self, webhook: str, delivery: Delivery, now: int) -> None:
        """Keep that a delivery has ended as its status says."""
        deliveries, waiting, games, queue = self._lists(webhook, delivery.game)
        keys = deliveries, waiting, games, queue, _key(webhook, delivery.status)
        stored = msgspec.json.encode(delivery)
        self._run(delivery_scripts.END, keys, delivery.id, stored, delivery.game, now, KEPT[delivery.status])

    def again(self, webhook: str, delivery: Delivery, now: int) -> bool:
        """Have an ended delivery told once more, under its id; False where it is gone."""
        fresh = msgspec.structs.replace(
            delivery, status=WAITING, attempts=0, first=None, next=None, error="", again=True
        )
        ended = [_key(webhook, each) for each in (DELIVERED, DEAD)]
        keys = WEBHOOKS, _DUE, _HOLD, *self._lists(webhook, delivery.game), *ended
        stored = msgspec.json.encode(fresh)
        return bool(self._run(delivery_scripts.AGAIN, keys, webhook, delivery.id, stored, delivery.game, now))

    def bury(self, webhook: str, reason: str, now: int, *, challenges: bool = True) -> None:
        """Give up all that waits for a webhook, or all but `challenges`; it can be asked for again by its id."""
        for name in self._command("ZRANGE", _key(webhook, WAITING), 0, -1):
            delivery = self.get(webhook, name.decode())
            if delivery is not None and (challenges or delivery.type != VERIFY):
                dead = msgspec.structs.replace(
                    delivery, status=DEAD, next=None, error=delivery.error or reason
                )
                self.end(webhook, dead, now)

    def hurry(self, webhook: str, now: int) -> None:
        """Try a challenge that waits at once, and forget that the endpoint was failing."""
        for each in (_HOLD, _HEALTH):
            self._command("HDEL", each, webhook)
        self._command("ZADD", _key(webhook, "games"), "XX", now, "")
        self._command("ZADD", _DUE, now, webhook)

    def overdue(self) -> tuple[int, int | None]:
        """How many deliveries wait in all, and since when the oldest does."""
        waiting = [self.waiting(each.decode()) for each in self._command("ZRANGE", _DUE, 0, -1)]
        return sum(number for number, _ in waiting), min(
            (at for _, at in waiting if at is not None), default=None
        )

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

    def _run(self, script: str, keys: tuple[str, ...], *arguments: Argument) -> Any:
        return self._command("EVAL", script, len(keys), *keys, *arguments)

    def _lists(self, webhook: str, game: str) -> tuple[str, str, str, str]:
        deliveries, waiting, games = (_key(webhook, each) for each in ("deliveries", WAITING, "games"))
        return deliveries, waiting, games, _key(webhook, f"queue:{game}")


def _key(webhook: str, part: str) -> str:
    return f"{{webhooks}}:{webhook}:{part}"


def _place(delivery: Delivery) -> tuple[int, int, int]:
    """Where a delivery stands among others: one entry of the log can bring about several, in the order of EVENTS."""
    kind = EVENTS.index(delivery.type) if delivery.type in EVENTS else -1
    return delivery.created, delivery.version, kind
