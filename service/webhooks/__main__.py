"""`python -m service.webhooks`: the process that tells webhooks what happens in games.

One thread follows the feeds and writes down what has to be told; others send it. None of them knows anything that is
not in the store, so the process may be killed at any time, and several may be at work.
"""

import logging
import signal
import sys
import time
from threading import Event, Lock, Thread
from typing import Final

from events.redis_store import RedisEventStore
from events.store_errors import StoreError
from service.clock import now_milliseconds
from service.configuration import BadSetting
from service.heartbeats import Heartbeat
from service.parent_watch import end_with_parents
from service.process_logging import log_to_standard_error
from service.rounds import Rounds, gathered
from service.start_report import say_that_it_starts
from service.store_at_start import settings_at_start, store_at_start
from service.webhooks.deliveries import Deliveries
from service.webhooks.delivering import Delivering
from service.webhooks.registry import Webhooks
from service.webhooks.ringing import Ringing
from service.webhooks.settings import WebhookSettings, webhook_settings

SENDERS: Final = 16
"""Requests under way at once at most."""
STOP_SECONDS: Final = 10.0
"""How long the step under way may take when what this process belongs to is gone."""
LAST_REQUESTS_SECONDS: Final = 6.0
"""How long requests under way may take when the process is asked to end."""
_PAUSE_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.25
_log = logging.getLogger("fieldbook.webhooks")


class WebhookProcess:
    """Follows the feeds, and has senders send what they mean."""

    def __init__(self, store: RedisEventStore, settings: WebhookSettings, senders: int = SENDERS) -> None:
        """Work on this store."""
        self._store = store
        deliveries = Deliveries(store)
        self._ringing = Ringing(store, Webhooks(store), deliveries)
        self._delivering = Delivering(
            store,
            Webhooks(store),
            deliveries,
            networks=settings.networks,
            give_up_seconds=settings.give_up_seconds,
        )
        self._deliveries = deliveries
        self._heartbeat = Heartbeat(store.connection, "webhooks")
        self._senders = senders
        self._looking = Lock()
        self._rounds = Rounds()

    def run(self, stopping: Event) -> None:
        """Work until told to stop, through outages of the store."""
        begun = False
        senders: list[Thread] = []
        while not stopping.is_set():
            try:
                self._heartbeat.beat()
                if not begun:
                    self._ringing.begin()
                    begun = True
                    senders = [
                        Thread(target=self._send, args=(stopping,), name=f"sender-{each}", daemon=True)
                        for each in range(self._senders)
                    ]
                    for each in senders:
                        each.start()
                self._follow(stopping)
            except StoreError as error:
                _log.warning("waiting for the store: %s", error)
                self._rounds.begin_anew()
                stopping.wait(_PAUSE_SECONDS)
        deadline = time.monotonic() + LAST_REQUESTS_SECONDS
        for each in senders:
            each.join(max(0.0, deadline - time.monotonic()))

    def _follow(self, stopping: Event) -> None:
        """Write down what has happened, and wait a moment where nothing has."""
        for partition in self._rounds.due(range(self._store.partitions)):
            while not stopping.is_set() and self._ringing.ring(partition):
                self._heartbeat.beat()
            self._ringing.tell_verdicts(partition)
        self._rounds.moved(gathered(self._store, self._ringing.positions(), _PAUSE_SECONDS))

    def _send(self, stopping: Event) -> None:
        """Serve one webhook after the other; of all senders that have nothing to do only one looks."""
        while not stopping.is_set():
            try:
                with self._looking:
                    claim = self._deliveries.claim(now_milliseconds())
                    if claim is None:
                        stopping.wait(_LOOK_SECONDS)
                if claim is not None:
                    self._delivering.serve(claim)
            except StoreError as error:
                _log.warning("waiting for the store: %s", error)
                stopping.wait(_PAUSE_SECONDS)
            except Exception:  # noqa: BLE001 - one broken delivery must not stop a sender for all others
                _log.exception("a webhook cannot be served")
                stopping.wait(_PAUSE_SECONDS)


def settings_of_webhooks() -> WebhookSettings:
    """The settings; ends this process with status 2 where they make no sense."""
    try:
        return webhook_settings()
    except BadSetting as error:
        _log.error("%s", error)
        sys.exit(2)


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    log_to_standard_error()
    end_with_parents(STOP_SECONDS)
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    chosen = settings_of_webhooks()
    settings = settings_at_start()
    store = store_at_start(settings)
    say_that_it_starts("webhooks", settings, store)
    WebhookProcess(store, chosen).run(stopping)


if __name__ == "__main__":
    main()
