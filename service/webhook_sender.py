"""`python -m service.webhook_sender`: the process that tells webhooks what happens in games.

Its loop follows the feeds and writes down what has to be told; a few threads send it, when its timer says that
something is due. None of them knows anything that is not in the store, so the process may be killed at any time, and
several may be at work.
"""

import logging
import time
from collections.abc import Sequence
from threading import Event
from typing import Final

from service.feeds.feed_follower import FeedFollower
from service.feeds.poll_schedule import PollSchedule
from service.platform.configuration import WEBHOOK_GIVE_UP, WEBHOOK_NETWORKS
from service.platform.setting_kinds import Network
from service.platform.timer import Due, Timer
from service.server.service_process import run_process
from service.storage.heartbeats import Heartbeat
from service.storage.store import Store
from service.webhooks.delivery.delivering import Delivering
from service.webhooks.delivery.senders import SENDERS, Senders
from service.webhooks.fanout import Fanout
from service.webhooks.low_time import LowTime
from service.webhooks.registry import Webhooks
from service.webhooks.store import Deliveries

LAST_REQUESTS_SECONDS: Final = 6.0
"""How long requests under way may take when the process is asked to end."""
GATHER_SECONDS: Final = 0.2
"""How long it rests after it has written deliveries down, so that more can gather: nobody at a table waits."""
_LOOK_SECONDS: Final = 0.25
"""How often it is looked whether somebody else has something sent."""
_log = logging.getLogger("fieldbook.webhooks")


class WebhookProcess:
    """Follows the feeds, and has senders send what they mean."""

    def __init__(
        self, store: Store, networks: Sequence[Network], give_up_seconds: int, senders: int = SENDERS
    ) -> None:
        """Send to public addresses and these networks; give up what, and who, has failed for so many seconds."""
        self._store = store
        deliveries = Deliveries(store)
        delivering = Delivering(
            store,
            Webhooks(store),
            deliveries,
            networks=networks,
            give_up_seconds=give_up_seconds,
        )
        self._fanout = Fanout(store, Webhooks(store), deliveries)
        self._senders = Senders(deliveries, delivering, senders)

    def run(self, stopping: Event) -> None:
        """Work until told to stop, through outages of the store."""
        FeedFollower(
            self._store,
            [self._fanout],
            log=_log,
            beat=Heartbeat(self._store, "webhooks").beat,
            schedule=PollSchedule(GATHER_SECONDS),
            timer=Timer(
                Due("deliveries", self._senders.hand_out, _LOOK_SECONDS),
                LowTime(self._store, self._fanout).declaration(),
            ),
        ).run(stopping)
        self._senders.stop(time.monotonic() + LAST_REQUESTS_SECONDS)


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    run_process(
        "webhooks",
        lambda _, store: WebhookProcess(store, WEBHOOK_NETWORKS.value(), WEBHOOK_GIVE_UP.value()),
    )


if __name__ == "__main__":
    main()
