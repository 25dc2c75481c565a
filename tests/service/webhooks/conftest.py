"""Fixtures of the tests of webhooks: an application whose webhooks may reach loopback, and an endpoint there."""

import ipaddress
import logging
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from events.rules.catalogues.catalogue import Catalogue
from events.store.event_store import FeedEntry
from events.store.redis.redis_store import RedisEventStore
from service.feeds.feed_follower import FeedFollower
from service.http.context.services import EXTENSION
from service.platform.clock import now_milliseconds
from service.startup.web_settings import WebSettings
from service.webhooks.delivery.delivering import Delivering
from service.webhooks.fanout import Fanout
from service.webhooks.registry import Webhooks
from service.webhooks.store import Deliveries
from tests.service.in_process import InProcess
from tests.support.receiver import Receiver, receiver

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
DAY = 24 * 3600


class CountingFanout(Fanout):
    """Counts the deliveries that it writes down."""

    written = 0

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> int:
        """As any other does it."""
        written = super().process_batch(partition, position, entries)
        self.written += written
        return written


class Telling:
    """An application with what tells its webhooks, step by step and in this thread."""

    def __init__(
        self, store: RedisEventStore, networks: Any = LOOPBACK, own: Sequence[Catalogue] = ()
    ) -> None:
        """Work on a store."""
        self.api = InProcess(store, own=own, settings=WebSettings(webhook_networks=networks))
        self.deliveries = Deliveries(store)
        self.webhooks = Webhooks(store)
        self.fanout = CountingFanout(store, self.webhooks, self.deliveries)
        self.follower = FeedFollower(store, [self.fanout], log=logging.getLogger("test"))
        self.fanout.begin(range(store.partitions))
        self.delivering = self.sender(networks)

    def sender(self, networks: Any = LOOPBACK, give_up: int = DAY, pause: int = 0) -> Delivering:
        """What sends, and tries again at once."""
        return Delivering(
            self.api.store,
            Webhooks(self.api.store),
            self.deliveries,
            networks=networks,
            give_up_seconds=give_up,
            pause=lambda _: pause,
        )

    def ring(self) -> int:
        """Write down all that has to be told; returns how much that was."""
        before = self.fanout.written
        partitions = range(self.api.store.partitions)
        self.follower.catch_up(partitions)
        return self.fanout.written - before + sum(map(self.fanout.tell_verdicts, partitions))

    def send(self, rounds: int = 40) -> None:
        """Send what is due, in so many rounds at most."""
        for _ in range(rounds):
            claim = self.deliveries.claim(now_milliseconds())
            if claim is None:
                return
            self.delivering.serve(claim)

    def tell(self) -> None:
        """Write down what has to be told, and send it."""
        self.ring()
        self.send()

    def make(self, url: str, token: str | None = None, status: int = 201, **more: Any) -> Any:
        """Register a webhook; returns the answer's JSON."""
        answer = self.api.call("POST", "/v1/webhooks", {"url": url, **more}, token=token or self.api.key)
        assert answer.status == status, answer.body
        return answer.json

    def active(self, url: str, token: str | None = None, **more: Any) -> Any:
        """Register a webhook whose endpoint answers the challenge."""
        made = self.make(url, token, **more)
        self.send()
        shown = self.shown(made["id"], token)
        assert shown["state"] == "active", self.api.get(
            f"/v1/webhooks/{made['id']}/deliveries", token or self.api.key
        )
        return made

    def shown(self, webhook: str, token: str | None = None) -> Any:
        """A webhook as its key sees it."""
        return self.api.get(f"/v1/webhooks/{webhook}", token or self.api.key)

    def listed(self, webhook: str, query: str = "", token: str | None = None) -> list[Any]:
        """The deliveries of a webhook, challenges aside, the oldest first."""
        path = f"/v1/webhooks/{webhook}/deliveries?limit=200{query}"
        found = self.api.get(path, token or self.api.key)["deliveries"]
        return [each for each in found if each["type"] != "webhook.verify"][::-1]

    def close(self) -> None:
        """Stop listening, so that the store can be closed."""
        self.api.app.extensions[EXTENSION].streams.close()


@pytest.fixture
def telling(store: RedisEventStore) -> Iterator[Telling]:
    """Yield the application with what tells its webhooks."""
    found = Telling(store)
    yield found
    found.close()


@pytest.fixture
def endpoint() -> Iterator[Receiver]:
    """Yield an endpoint that takes everything."""
    with receiver() as found:
        yield found
