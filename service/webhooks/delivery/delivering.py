"""Telling webhooks what they have to be told: one request at a time to each, in order, again until it is taken.

Which webhook is served next stands in the store, and whoever serves it holds it for a few seconds. So a sender that
is killed loses nothing: another one takes over when these are past, and tells the same under the same id. A webhook
that fails is left alone for longer and longer, so one that hangs costs the others next to nothing.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from events.store.event_store import EventStore
from service.platform.clock import now_milliseconds
from service.platform.release import release
from service.platform.setting_kinds import Network
from service.storage.heartbeats import count_if_possible
from service.telemetry.spans import follow
from service.webhooks.deliveries import COUNTS, DEAD, DELIVERED, Claim, Delivery, Health
from service.webhooks.delivery.posting import NO_FREE_LOOK_UP, Posted, post
from service.webhooks.registry import Webhooks, disable
from service.webhooks.signing import secret_of, sign_headers
from service.webhooks.store import Deliveries
from service.webhooks.webhook import ACTIVE, DISABLED, UNVERIFIED, VERIFY, Webhook
from service.webhooks.webhook_events import timestamp

SERVED_AT_ONCE: Final = 20
"""Deliveries to one webhook before the next one has its turn."""
FIRST_PAUSE: Final = 5_000
"""Milliseconds until something is tried again; they double with every failure."""
LONGEST_PAUSE: Final = 3_600_000
MOST_CHALLENGES: Final = 5
"""How often an endpoint is asked whether it wants to be told; then only when its owner asks for it."""
_GONE: Final = 410
_log = logging.getLogger("fieldbook.webhooks")


def pause_after(failures: int) -> int:
    """Milliseconds to wait after so many failures in a row: half of it is certain, the rest by chance."""
    longest = min(FIRST_PAUSE << min(failures - 1, 20), LONGEST_PAUSE)
    return longest // 2 + secrets.randbelow(longest // 2 + 1)


class Delivering:
    """Sends what waits; safe to use from many threads. Every method may raise StoreUnavailable."""

    def __init__(
        self,
        store: EventStore,
        webhooks: Webhooks,
        deliveries: Deliveries,
        *,
        networks: Sequence[Network] = (),
        give_up_seconds: int,
        pause: Callable[[int], int] = pause_after,
    ) -> None:
        """Send to public addresses and these networks; give up what, and who, has failed for so many seconds."""
        self._store = store
        self._webhooks = webhooks
        self._deliveries = deliveries
        self._networks = networks
        self._give_up = give_up_seconds * 1000
        self._pause = pause

    def serve(self, claim: Claim) -> None:
        """Tell a webhook what waits for it, up to the first failure."""
        pause_until = 0
        for _ in range(SERVED_AT_ONCE):
            now = now_milliseconds()
            webhook = self._find_permitted(claim.webhook, now)
            if webhook is None:
                self._deliveries.forget(claim.webhook)
                return
            if webhook.state != ACTIVE:
                is_asked = webhook.state == UNVERIFIED
                self._deliveries.bury(
                    webhook.id, webhook.reason or webhook.state, now, challenges=not is_asked
                )
            delivery = self._deliveries.next(claim, now)
            if delivery is None:
                break
            pause_until = self._attempt(claim, webhook, delivery)
            if pause_until:
                break
        self._deliveries.release(claim, pause_until)

    def _find_permitted(self, name: str, now: int) -> Webhook | None:
        """The webhook as it is now, disabled where its key is good for nothing any more; None where it is gone."""
        webhook = self._webhooks.get(name)
        if webhook is not None and webhook.state != DISABLED:
            key, reason = self._webhooks.holder(webhook, now)
            if key is None:
                disable(self._webhooks, self._deliveries, webhook, reason)
                webhook = self._webhooks.get(name)
        return webhook

    def _attempt(self, claim: Claim, webhook: Webhook, delivery: Delivery) -> int:
        """Make one attempt; returns until when the webhook is left alone, 0 where it went well."""
        now = now_milliseconds()
        challenge = secrets.token_urlsafe(32) if delivery.type == VERIFY else ""
        body = (_challenge(webhook, challenge, now) if challenge else delivery.payload).encode()
        secret = secret_of(self._store.installation, webhook.id)
        headers = {
            **sign_headers(secret, delivery.id, now // 1000, body),
            "Content-Type": "application/json",
            "User-Agent": f"Fieldbook/{release()}",
        }
        with follow(f"tell {delivery.type}", "client", delivery.traceparent) as telling:
            if telling.traceparent:
                headers["traceparent"] = telling.traceparent
            posted = post(webhook.url, body, headers, self._networks, key=webhook.key, read=bool(challenge))
            if posted.status is not None:
                telling.say({"http.response.status_code": posted.status})
            if posted.error:
                telling.fail(posted.error)
        if challenge and not posted.error and posted.body.strip() != challenge.encode():
            posted = msgspec.structs.replace(posted, error="challenge_failed")
        count_if_possible(self._store, (COUNTS, posted.error or "delivered"))
        now = now_milliseconds()
        if posted.error == NO_FREE_LOOK_UP:
            _log.warning("webhook %s waits for a look-up of its host name", webhook.id)
            again = now + self._pause(1)
            self._deliveries.retry(claim, msgspec.structs.replace(delivery, next=again))
            return again
        tried = msgspec.structs.replace(
            delivery,
            attempts=delivery.attempts + 1,
            first=delivery.first or now,
            last=now,
            next=None,
            error=posted.error,
            answered=posted.status,
        )
        if posted.error:
            return self._note_failure(claim, webhook, tried, posted, now)
        self._note_delivered(claim, webhook, tried, now)
        return 0

    def _note_delivered(self, claim: Claim, webhook: Webhook, delivery: Delivery, now: int) -> None:
        if delivery.type == VERIFY:
            self._webhooks.replace(webhook, webhook.with_state(ACTIVE, now))
            _log.info("webhook %s is active", webhook.id)
        self._deliveries.end(webhook.id, msgspec.structs.replace(delivery, status=DELIVERED), now, claim)
        self._deliveries.note_health(webhook.id, Health(last_delivered=now))

    def _note_failure(
        self, claim: Claim, webhook: Webhook, delivery: Delivery, posted: Posted, now: int
    ) -> int:
        _log.info(
            "webhook %s was not told of %s at attempt %d: %s",
            webhook.id,
            delivery.id,
            delivery.attempts,
            posted.error,
            extra={"fields": {"status": posted.status}} if posted.status is not None else None,
        )
        before = self._deliveries.health(webhook.id)
        health = msgspec.structs.replace(
            before, failures=before.failures + 1, failing_since=before.failing_since or now
        )
        self._deliveries.note_health(webhook.id, health)
        is_over = now - (delivery.first or now) >= self._give_up
        if delivery.type == VERIFY:
            is_over = delivery.attempts >= MOST_CHALLENGES
            if is_over:
                self._webhooks.replace(
                    webhook, webhook.with_state(UNVERIFIED, webhook.since, "challenge_failed")
                )
        if is_over or posted.status == _GONE:
            self._deliveries.end(webhook.id, msgspec.structs.replace(delivery, status=DEAD), now, claim)
            count_if_possible(self._store, (COUNTS, "given_up"))
        else:
            again = now + max(self._pause(delivery.attempts), posted.wait * 1000)
            self._deliveries.retry(claim, msgspec.structs.replace(delivery, next=again))
        if posted.status == _GONE:
            disable(self._webhooks, self._deliveries, webhook, "gone")
        elif webhook.state == ACTIVE and now - (health.failing_since or now) >= self._give_up:
            disable(self._webhooks, self._deliveries, webhook, "failing")
        return now + max(self._pause(health.failures), posted.wait * 1000)


def _challenge(webhook: Webhook, challenge: str, now: int) -> str:
    """What an endpoint is asked: it answers with the challenge, and nothing else, as the body."""
    data = {"webhook": webhook.id, "challenge": challenge}
    document = {"type": VERIFY, "timestamp": timestamp(now), "data": data}
    return msgspec.json.encode(document).decode()
