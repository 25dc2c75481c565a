"""What a webhook is told, how that went, and how its endpoint has been doing; `store` keeps it."""

from typing import Any, Final, Literal

import msgspec

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"
STATUSES: Final = (WAITING, DELIVERED, DEAD)
COUNTS: Final = "webhook_deliveries"
"""Under this name attempts are counted."""


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
    traceparent: str = ""
    """The work that it follows from, where that was recorded."""

    def describe(self) -> dict[str, Any]:
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
    """A webhook that a sender has for itself, until when, and the key that it belongs to."""

    webhook: str
    lease: int
    key: str = ""


class TooFarBehind(Exception):
    """As much waits for a webhook as may wait."""
