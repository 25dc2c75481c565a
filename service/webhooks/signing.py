"""Signatures by the convention of Standard Webhooks 1.0.0 (standardwebhooks.com), and ids and secrets of webhooks.

A secret is derived from the installation's token key and the webhook's id, as tokens of seats are: it is stored
nowhere, is the same when a request is repeated, and whoever can read the store could derive it.
"""

import base64
import hashlib
import hmac
from typing import Final

from events.store.event_store import Installation

SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - how the convention marks secrets
"""Secrets begin like this, so that a leaked one is recognised."""
WEBHOOK_PREFIX: Final = "wh_"
MESSAGE_PREFIX: Final = "msg_"
_DIGITS: Final = 24


def webhook_id(installation: Installation, key: str, request: str) -> str:
    """The id of the webhook that this request of this key makes."""
    return WEBHOOK_PREFIX + _derive(installation, f"webhook/{key}/{request}").hex()[:_DIGITS]


def secret_of(installation: Installation, webhook: str) -> str:
    """The secret with which what is sent to a webhook is signed: 256 bits."""
    return SECRET_PREFIX + base64.b64encode(_derive(installation, f"webhook-secret/{webhook}")).decode()


def message_id(*parts: str | int) -> str:
    """The id of what is told to a webhook: the same whoever computes it, and however often."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode())
    return MESSAGE_PREFIX + digest.hexdigest()[:_DIGITS]


def sign_headers(secret: str, message: str, seconds: int, body: bytes) -> dict[str, str]:
    """The headers of one attempt at `seconds` since the epoch; id, time and body are signed together."""
    content = f"{message}.{seconds}.".encode() + body
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signature = base64.b64encode(hmac.digest(key, content, "sha256")).decode()
    return {
        "webhook-id": message,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{signature}",
    }


def _derive(installation: Installation, purpose: str) -> bytes:
    return hmac.digest(bytes.fromhex(installation.token_key), purpose.encode(), "sha256")
