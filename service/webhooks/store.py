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

from collections.abc import Sequence
from typing import Final

from events.store.event_store import EventStore
from events.store.redis.redis_store import require_redis
from service.storage.due_index import DueIndex

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"
STATUSES: Final = (WAITING, DELIVERED, DEAD)
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


class DeliveryRecords:
    """The deliveries of all webhooks, each with its webhook and its id."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._store = redis = require_redis(store)
        self._command, self._call = redis.connection.command, redis.functions.call

    def add(  # noqa: PLR0917 - what a delivery in a queue is made of
        self, webhook: str, delivery: str, content: bytes, game: str, now: int, most: int, gives_way: str
    ) -> str:
        """Put a delivery behind its game's others: `added`, `known`, `gone` (the webhook is not active) or `full`."""
        keys = (_WEBHOOKS, _DUE, _HOLD, *_lists(webhook, game))
        arguments = (webhook, delivery, content, game, now, most, gives_way)
        answer: bytes = self._call("delivery_add", keys, arguments)
        return answer.decode()

    def claim(self, now: int, lease: int) -> str | None:
        """Hold the webhook that is due longest until the lease ends; None where none is due."""
        found: bytes | None = self._call("delivery_claim", (_DUE, _HOLD), (now, lease))
        return None if found is None else found.decode()

    def next_game(self, webhook: str, held: int, now: int, lease: int) -> str | None:
        """The game that is due longest, with a new lease; None where none is, or somebody else holds the webhook."""
        keys = _DUE, _HOLD, _key(webhook, "games")
        found: bytes | None = self._call("delivery_next", keys, (webhook, held, now, lease))
        return None if found is None else found.decode()

    def first(self, webhook: str, game: str) -> bytes | None:
        """The first delivery of a game, or None."""
        found = self._command("LINDEX", _key(webhook, f"queue:{game}"), 0)
        return None if found is None else self.get(webhook, found.decode())

    def release(self, webhook: str, held: int, pause_until: int) -> None:
        """Let others serve a webhook, and nobody before `pause_until`."""
        self._call("delivery_release", (_DUE, _HOLD, _key(webhook, "games")), (webhook, held, pause_until))

    def retry(self, webhook: str, delivery: str, content: bytes, game: str, at: int) -> None:
        """Keep a delivery that has failed; its game is tried again then."""
        keys = _key(webhook, "deliveries"), _key(webhook, "games")
        self._call("delivery_retry", keys, (delivery, content, game, at))

    def end(  # noqa: PLR0917 - what the end of a delivery is made of
        self, webhook: str, delivery: str, content: bytes, game: str, status: str, now: int, keep: int
    ) -> None:
        """Keep a delivery that has ended, and of those with its status only the newest."""
        keys = (*_lists(webhook, game), _key(webhook, status))
        self._call("delivery_end", keys, (delivery, content, game, now, keep))

    def again(self, webhook: str, delivery: str, content: bytes, game: str, now: int) -> bool:
        """Put an ended delivery behind its game's others; False where it is gone."""
        ended = _key(webhook, DELIVERED), _key(webhook, DEAD)
        keys = (_WEBHOOKS, _DUE, _HOLD, *_lists(webhook, game), *ended)
        return bool(self._call("delivery_again", keys, (webhook, delivery, content, game, now)))

    def hurry(self, webhook: str, now: int) -> None:
        """Have a challenge that waits tried at once, and forget that the endpoint was failing."""
        for each in (_HOLD, _HEALTH):
            self._command("HDEL", each, webhook)
        self._command("ZADD", _key(webhook, "games"), "XX", now, "")
        self._command("ZADD", _DUE, now, webhook)

    def get(self, webhook: str, delivery: str) -> bytes | None:
        """A delivery, or None."""
        found: bytes | None = self._command("HGET", _key(webhook, "deliveries"), delivery)
        return found

    def newest(self, webhook: str, statuses: Sequence[str], limit: int) -> list[bytes]:
        """The newest deliveries of a webhook, at most so many with each of these statuses."""
        names: list[bytes] = []
        for each in statuses:
            names += self._command("ZREVRANGE", _key(webhook, each), 0, limit - 1)
        found = self._command("HMGET", _key(webhook, "deliveries"), *names) if names else []
        return [each for each in found if each is not None]

    def is_challenged(self, webhook: str) -> bool:
        """Whether a challenge, which is about no game, waits."""
        return bool(self._command("LLEN", _key(webhook, "queue:")))

    def waiting(self, webhook: str) -> list[str]:
        """The ids of all deliveries that wait, the oldest first."""
        return [each.decode() for each in self._command("ZRANGE", _key(webhook, WAITING), 0, -1)]

    def count_waiting(self, webhook: str) -> tuple[int, int | None]:
        """How many deliveries of a webhook wait, and since when the oldest does."""
        first = self._command("ZRANGE", _key(webhook, WAITING), 0, 0, "WITHSCORES")
        return self._command("ZCARD", _key(webhook, WAITING)), int(first[1]) if first else None

    def due(self) -> list[str]:
        """The webhooks for which something waits."""
        return [each.decode() for each in self._command("ZRANGE", _DUE, 0, -1)]

    def moments(self) -> DueIndex:
        """The webhooks by when they are to be served next."""
        return DueIndex(self._store, [_DUE])

    def health(self, webhook: str) -> bytes | None:
        """How an endpoint has been doing; None where nothing was noted."""
        found: bytes | None = self._command("HGET", _HEALTH, webhook)
        return found

    def note_health(self, webhook: str, health: bytes) -> None:
        """Keep how an endpoint has been doing."""
        self._command("HSET", _HEALTH, webhook, health)

    def forget(self, webhook: str) -> None:
        """Forget everything about a webhook that was removed."""
        self._command("ZREM", _DUE, webhook)
        for each in (_HOLD, _HEALTH):
            self._command("HDEL", each, webhook)
        for game in self._command("ZRANGE", _key(webhook, "games"), 0, -1):
            self._command("UNLINK", _key(webhook, f"queue:{game.decode()}"))
        for part in ("deliveries", "games", *STATUSES):
            self._command("UNLINK", _key(webhook, part))


def _of(key: str) -> str:
    return f"{{webhooks}}:of:{key}"


def _lists(webhook: str, game: str) -> tuple[str, str, str, str]:
    deliveries, waiting, games = (_key(webhook, each) for each in ("deliveries", WAITING, "games"))
    return deliveries, waiting, games, _key(webhook, f"queue:{game}")


def _key(webhook: str, part: str) -> str:
    return f"{{webhooks}}:{webhook}:{part}"
