"""The webhooks of an installation: kept beside the log, changed only as they were read."""

import logging
from collections.abc import Iterable
from typing import Final

import msgspec

from events.store.event_store import EventStore
from service.access.keys import Key
from service.access.store import Keys
from service.platform.clock import now_milliseconds
from service.webhooks.store import Deliveries, WebhookRecords
from service.webhooks.webhook import ACTIVE, DISABLED, MOST_WEBHOOKS, Webhook

SCOPE: Final = "webhooks"
_log = logging.getLogger("fieldbook.webhooks")


class WebhookReused(Exception):
    """The request that made a webhook was sent again with other content."""


class TooManyWebhooks(Exception):
    """The key has as many webhooks as a key may have."""


class Webhooks:
    """What is registered. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep it in this store."""
        self._records = WebhookRecords(store)
        self._keys = Keys(store)
        self._changes = -1
        self._active: tuple[Webhook, ...] = ()

    def add(self, webhook: Webhook) -> tuple[Webhook, bool]:
        """Register a webhook; returns it, and whether the same request had made it before.

        Raises:
            WebhookReused, TooManyWebhooks
        """
        match self._records.add(webhook.key, webhook.id, msgspec.json.encode(webhook), MOST_WEBHOOKS):
            case "added":
                return webhook, False
            case "full":
                raise TooManyWebhooks
            case _:
                known = self.get(webhook.id)
                if known is None or known.fingerprint != webhook.fingerprint:
                    raise WebhookReused(webhook.id)
                return known, True

    def get(self, webhook: str) -> Webhook | None:
        """The webhook with this id, or None."""
        stored = self._records.get(webhook)
        return None if stored is None else msgspec.json.decode(stored, type=Webhook)

    def all(self) -> list[Webhook]:
        """All webhooks, the newest first."""
        return _newest_first(self._records.all())

    def of(self, key: str) -> list[Webhook]:
        """A key's webhooks, the newest first."""
        return _newest_first(self._records.of(key))

    def replace(self, old: Webhook, new: Webhook) -> bool:
        """Put a webhook in the place of another; False where its state has changed meanwhile, or it is gone."""
        return self._records.replace(old.id, old.state, old.since, msgspec.json.encode(new))

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook."""
        self._records.remove(webhook.key, webhook.id)

    def active(self) -> tuple[Webhook, ...]:
        """The active webhooks as they are now; read again only where one has changed."""
        changes = self._records.changes()
        if changes != self._changes:
            self._active = tuple(each for each in self.all() if each.state == ACTIVE)
            self._changes = changes
        return self._active

    def holder(self, webhook: Webhook, now: int) -> tuple[Key | None, str]:
        """The key that a webhook belongs to, or None and why that is good for nothing any more."""
        key = self._keys.get(webhook.key)
        standing = "revoked" if key is None or not key.may(SCOPE) else key.standing(now)
        return (key, "") if standing == "valid" else (None, f"key_{standing}")


def disable(webhooks: Webhooks, deliveries: Deliveries, webhook: Webhook, reason: str) -> None:
    """Tell a webhook nothing any more, unless it has changed since it was read; what waits for it is kept as dead.

    Raises:
        StoreUnavailable
    """
    now = now_milliseconds()
    if webhook.state != DISABLED and webhooks.replace(webhook, webhook.with_state(DISABLED, now, reason)):
        _log.warning("webhook %s is disabled: %s", webhook.id, reason)
        deliveries.bury(webhook.id, reason, now)


def _newest_first(stored: Iterable[bytes]) -> list[Webhook]:
    found = (msgspec.json.decode(each, type=Webhook) for each in stored)
    return sorted(found, key=lambda each: (each.created, each.id), reverse=True)
