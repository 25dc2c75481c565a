"""What has to be told to webhooks, what was, and what could not be: in the store, so that no process has to live.

Of one game a webhook is told in order: each game has a queue, and while its first delivery fails the others wait. Of
what has ended only the newest is kept.
"""

from typing import Any, Final, Literal

import msgspec

from events.store.event_store import EventStore
from service.webhooks.signing import message_id
from service.webhooks.store import DEAD, DELIVERED, STATUSES, WAITING, DeliveryRecords
from service.webhooks.webhook import EVENTS, VERIFY

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

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._records = DeliveryRecords(store)
        self._due = self._records.moments()

    def add(self, webhook: str, delivery: Delivery, now: int) -> bool:
        """Have something told to a webhook, once; False where it is known, or the webhook is not active any more.

        Raises:
            TooFarBehind
        """
        gives_way = TURN if delivery.type == TURN else ""
        content = msgspec.json.encode(delivery)
        found = self._records.add(webhook, delivery.id, content, delivery.game, now, MOST_WAITING, gives_way)
        if found == "full":
            raise TooFarBehind(webhook)
        return found == "added"

    def challenge(self, webhook: str, name: str, now: int) -> None:
        """Have an endpoint asked whether it wants to be told, unless it is being asked already."""
        if not self._records.is_challenged(webhook):
            self.add(webhook, Delivery(id=message_id(webhook, VERIFY, name), type=VERIFY, created=now), now)

    def claim(self, now: int) -> Claim | None:
        """Take the webhook that has been due longest for oneself; None where none is due."""
        lease = now + LEASE_MILLISECONDS
        found = self._records.claim(now, lease)
        return None if found is None else Claim(found, lease)

    def next_due(self, after: int) -> int | None:
        """When the first webhook after this moment is due; None where none is."""
        return self._due.next_due(after)

    def next(self, claim: Claim, now: int) -> Delivery | None:
        """The delivery that is due longest, of those that are the first of their game; the lease begins anew."""
        lease = now + LEASE_MILLISECONDS
        game = self._records.next_game(claim.webhook, claim.lease, now, lease)
        if game is None:
            return None
        claim.lease = lease
        first = self._records.first(claim.webhook, game)
        return None if first is None else msgspec.json.decode(first, type=Delivery)

    def release(self, claim: Claim, pause_until: int = 0) -> None:
        """Let others serve a webhook, and nobody before `pause_until`."""
        self._records.release(claim.webhook, claim.lease, pause_until)

    def retry(self, webhook: str, delivery: Delivery) -> None:
        """Keep what an attempt has found out; the next one is at `delivery.next`."""
        content = msgspec.json.encode(delivery)
        self._records.retry(webhook, delivery.id, content, delivery.game, delivery.next or 0)

    def end(self, webhook: str, delivery: Delivery, now: int) -> None:
        """Keep that a delivery has ended as its status says."""
        content, status = msgspec.json.encode(delivery), delivery.status
        self._records.end(webhook, delivery.id, content, delivery.game, status, now, KEPT[status])

    def again(self, webhook: str, delivery: Delivery, now: int) -> bool:
        """Have an ended delivery told once more, under its id; False where it is gone."""
        fresh = msgspec.structs.replace(
            delivery, status=WAITING, attempts=0, first=None, next=None, error="", again=True
        )
        return self._records.again(webhook, delivery.id, msgspec.json.encode(fresh), delivery.game, now)

    def bury(self, webhook: str, reason: str, now: int, *, challenges: bool = True) -> None:
        """Give up all that waits for a webhook, or all but `challenges`; it can be asked for again by its id."""
        for name in self._records.waiting(webhook):
            delivery = self.get(webhook, name)
            if delivery is not None and (challenges or delivery.type != VERIFY):
                dead = msgspec.structs.replace(
                    delivery, status=DEAD, next=None, error=delivery.error or reason
                )
                self.end(webhook, dead, now)

    def hurry(self, webhook: str, now: int) -> None:
        """Try a challenge that waits at once, and forget that the endpoint was failing."""
        self._records.hurry(webhook, now)

    def overdue(self) -> tuple[int, int | None]:
        """How many deliveries wait in all, and since when the oldest does."""
        waiting = [self.waiting(each) for each in self._records.due()]
        return sum(number for number, _ in waiting), min(
            (at for _, at in waiting if at is not None), default=None
        )

    def get(self, webhook: str, delivery: str) -> Delivery | None:
        """A delivery, or None."""
        stored = self._records.get(webhook, delivery)
        return None if stored is None else msgspec.json.decode(stored, type=Delivery)

    def newest(self, webhook: str, limit: int, status: str | None = None) -> list[Delivery]:
        """At most so many deliveries of a webhook, the newest first."""
        found = self._records.newest(webhook, STATUSES if status is None else (status,), limit)
        read = (msgspec.json.decode(each, type=Delivery) for each in found)
        return sorted(read, key=_place, reverse=True)[:limit]

    def health(self, webhook: str) -> Health:
        """How an endpoint has been doing."""
        stored = self._records.health(webhook)
        return Health() if stored is None else msgspec.json.decode(stored, type=Health)

    def note_health(self, webhook: str, health: Health) -> None:
        """Keep how an endpoint has been doing."""
        self._records.note_health(webhook, msgspec.json.encode(health))

    def waiting(self, webhook: str) -> tuple[int, int | None]:
        """How many deliveries of a webhook wait, and since when the oldest does."""
        return self._records.count_waiting(webhook)

    def forget(self, webhook: str) -> None:
        """Forget everything about a webhook that was removed."""
        self._records.forget(webhook)


def _place(delivery: Delivery) -> tuple[int, int, int]:
    """Where a delivery stands among others: one entry of the log can bring about several, in the order of EVENTS."""
    kind = list(EVENTS).index(delivery.type) if delivery.type in EVENTS else -1
    return delivery.created, delivery.version, kind
