"""Telling a webhook nothing any more, and saying why."""

import logging

from service.platform.clock import now_milliseconds
from service.webhooks.deliveries import Deliveries
from service.webhooks.registry import Webhooks
from service.webhooks.webhook import DISABLED, Webhook

_log = logging.getLogger("fieldbook.webhooks")


def disable(webhooks: Webhooks, deliveries: Deliveries, webhook: Webhook, reason: str) -> None:
    """Disable a webhook, unless it has changed since it was read; what waits for it is kept as dead.

    Raises:
        StoreUnavailable
    """
    now = now_milliseconds()
    if webhook.state != DISABLED and webhooks.replace(webhook, webhook.turned(DISABLED, now, reason)):
        _log.warning("webhook %s is disabled: %s", webhook.id, reason)
        deliveries.bury(webhook.id, reason, now)
