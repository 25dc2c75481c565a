"""What is configured about webhooks.

FIELDBOOK_WEBHOOK_NETWORKS    networks to which events may be sent besides the public internet
FIELDBOOK_WEBHOOK_GIVE_UP     how long a delivery is tried, and how long an endpoint may fail
"""

from collections.abc import Mapping

import msgspec

from service.platform.configuration import WEBHOOK_GIVE_UP
from service.webhooks.delivery.addresses import Network, allowed_networks


class WebhookSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is configured about webhooks."""

    networks: tuple[Network, ...]
    """Networks that may be reached besides the public internet."""
    give_up_seconds: int
    """After so many seconds of failing a delivery is dead, and a webhook is disabled."""


def webhook_settings(environment: Mapping[str, str] | None = None) -> WebhookSettings:
    """The settings in environment variables; empty ones count as absent.

    Raises:
        BadSetting: a value cannot be understood; the sentence names the variable.
    """
    return WebhookSettings(
        networks=allowed_networks(environment), give_up_seconds=WEBHOOK_GIVE_UP.value(environment)
    )
