"""The webhooks of an installation: kept beside the log, changed only as they were read.

{webhooks}:webhooks     hash: a webhook's id -> the webhook as JSON
{webhooks}:of:<key>     set: the ids of a key's webhooks
{webhooks}:changes      number of changes, so that who remembers all of them sees that one has changed
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from events.redis_store import RedisEventStore
from service.keys import Key, Keys
from service.webhooks.webhook import ACTIVE, MOST_WEBHOOKS, Webhook

SCOPE: Final = "webhooks"
WEBHOOKS: Final = "{webhooks}:webhooks"
_CHANGES: Final = "{webhooks}:changes"
_ADD: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'known' end
if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[3])
return 'added'
"""
_REPLACE: Final = """
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then return 0 end
if stored == ARGV[4] then return 1 end
local known = cjson.decode(stored)
if known.state ~= ARGV[2] or known.since ~= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('INCR', KEYS[2])
return 1
"""
_REMOVE: Final = """
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[3])
return redis.call('HDEL', KEYS[1], ARGV[1])
"""


class WebhookReused(Exception):
    """The request that made a webhook was sent again with other content."""


class TooManyWebhooks(Exception):
    """The key has as many webhooks as a key may have."""


class Webhooks:
    """What is registered. Every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep it in this store."""
        self._command = store.connection.command
        self._keys = Keys(store)
        self._changes = -1
        self._active: tuple[Webhook, ...] = ()

    def add(self, webhook: Webhook) -> tuple[Webhook, bool]:
        """Register a webhook; returns it, and whether the same request had made it before.

        Raises:
            WebhookReused, TooManyWebhooks
        """
        stored = msgspec.json.encode(webhook)
        keys = WEBHOOKS, _of(webhook.key), _CHANGES
        match self._command("EVAL", _ADD, len(keys), *keys, webhook.id, stored, MOST_WEBHOOKS):
            case b"added":
                return webhook, False
            case b"full":
                raise TooManyWebhooks
            case _:
                known = self.get(webhook.id)
                if known is None or known.fingerprint != webhook.fingerprint:
                    raise WebhookReused(webhook.id)
                return known, True

    def get(self, webhook: str) -> Webhook | None:
        """The webhook with this id, or None."""
        stored = self._command("HGET", WEBHOOKS, webhook)
        return None if stored is None else msgspec.json.decode(stored, type=Webhook)

    def all(self) -> list[Webhook]:
        """All webhooks, the newest first."""
        found = self._command("HVALS", WEBHOOKS)
        return _newest_first(msgspec.json.decode(each, type=Webhook) for each in found)

    def of(self, key: str) -> list[Webhook]:
        """A key's webhooks, the newest first."""
        names = self._command("SMEMBERS", _of(key))
        found = self._command("HMGET", WEBHOOKS, *names) if names else []
        return _newest_first(msgspec.json.decode(each, type=Webhook) for each in found if each is not None)

    def replace(self, old: Webhook, new: Webhook) -> bool:
        """Put a webhook in the place of another; False where its state has changed meanwhile, or it is gone."""
        arguments = old.id, old.state, old.since, msgspec.json.encode(new)
        return bool(self._command("EVAL", _REPLACE, 2, WEBHOOKS, _CHANGES, *arguments))

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook."""
        self._command("EVAL", _REMOVE, 3, WEBHOOKS, _of(webhook.key), _CHANGES, webhook.id)

    def active(self) -> tuple[Webhook, ...]:
        """The active webhooks as they are now; read again only where one has changed."""
        changes = int(self._command("GET", _CHANGES) or 0)
        if changes != self._changes:
            self._active = tuple(each for each in self.all() if each.state == ACTIVE)
            self._changes = changes
        return self._active

    def holder(self, webhook: Webhook, now: int) -> tuple[Key | None, str]:
        """The key that a webhook belongs to, or None and why that is good for nothing any more."""
        key = self._keys.get(webhook.key)
        standing = "revoked" if key is None or not key.may(SCOPE) else key.standing(now)
        return (key, "") if standing == "valid" else (None, f"key_{standing}")


def _of(key: str) -> str:
    return f"{{webhooks}}:of:{key}"


def _newest_first(found: Iterable[Webhook]) -> list[Webhook]:
    return sorted(found, key=lambda each: (each.created, each.id), reverse=True)
