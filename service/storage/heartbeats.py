"""Signs of life of the processes that nobody can ask, and what they have counted.

The projector, the bots and the webhooks' process serve no requests. While their loop turns they set a key that
expires, so the HTTP interface can say whether they live, and add what they counted to a hash beside it. Workers have
signs of life of their own in the queue (`service.storage.queues`); what they counted is here too.

{processes}:<name>   string: when the process began, in milliseconds since the epoch; expires
{processes}:counts   hash: a name and its labels, as a JSON list -> what was counted since the installation began
"""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from events.commands import Command
from events.store.errors import StoreError
from events.store.event_store import EventStore
from events.store.redis.redis_store import require_redis
from events.store.waiting import waiting_at_most
from service.platform.clock import now_milliseconds
from service.platform.metrics import command_type
from service.platform.watchdog import Turns, keep_alive

PROCESSES: Final = ("projector", "bots", "webhooks")
"""Who gives signs of life here."""
BEAT_SECONDS: Final = 5.0
EXPIRY_SECONDS: Final = 30
"""After so long without a sign a process counts as gone; one long step of its loop must fit."""
WAIT_SECONDS: Final = 0.2
"""How long the store is waited for in vain."""
_log = logging.getLogger("fieldbook.processes")
_COUNTS: Final = "{processes}:counts"

Counted = tuple[str, ...]
"""A name and its labels."""


class Heartbeat:
    """The signs of life of one process, and its counts."""

    def __init__(self, store: EventStore, process: str, turns: Turns | None = None) -> None:
        """Speak for this process, which has these loops besides the one that calls `beat`."""
        self._store = store
        self._key = f"{{processes}}:{process}"
        self._process = process
        self._since = now_milliseconds()
        self._next = 0.0
        self._is_silent = False
        self._turns = turns or Turns()
        self._counted: Counter[Counted] = Counter()

    def beat(self) -> None:
        """Give a sign of life to the store and to systemd, and hand in the counts, if the last was some seconds ago.

        Where the store does not take it the work goes on all the same: it may be this one partition that is away.
        There is none while another loop of the process stands still.
        """
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + BEAT_SECONDS
        if standing := self._turns.standing():
            _log.error("no sign of life is given: %s turn no more", ", ".join(standing))
            return
        keep_alive()
        try:
            with waiting_at_most(WAIT_SECONDS):
                self._set()
                self.hand_in()
        except StoreError as error:
            if not self._is_silent:
                _log.warning("no sign of life can be given: %s", error)
            self._is_silent = True
        else:
            self._is_silent = False

    def _set(self) -> None:
        require_redis(self._store).connection.command("SET", self._key, self._since, "EX", EXPIRY_SECONDS)

    def hand_in(self) -> None:
        """Hand in the counts; a process that stops does it once more.

        Raises:
            StoreUnavailable, StoreRefused
        """
        for counted, number in list(self._counted.items()):
            add_count(self._store, counted, number)
            del self._counted[counted]

    def count_commands(self, commands: Sequence[Command], outcome: str, place: int | None = None) -> None:  # noqa: ARG002
        """Count commands; as `service.play.outcome.CommandWatch`."""
        for command in commands:
            self._counted[f"{self._process}_commands", command_type(command), outcome] += 1

    def count_append(self, seconds: float) -> None:
        """Nothing is kept of this; as `service.play.outcome.CommandWatch`."""


def add_count(store: EventStore, counted: Counted, number: int = 1) -> None:
    """Add to a count.

    Raises:
        StoreUnavailable, StoreRefused
    """
    require_redis(store).connection.command("HINCRBY", _COUNTS, msgspec.json.encode(counted), number)


def count_if_possible(store: EventStore, counted: Counted) -> None:
    """Add one to a count; where the store does not take it, nothing is counted, and nobody waits for that."""
    try:
        with waiting_at_most(WAIT_SECONDS):
            add_count(store, counted)
    except StoreError as error:
        _log.debug("not counted: %s", error)


def all_counts(store: EventStore) -> dict[Counted, int]:
    """Everything that was counted.

    Raises:
        StoreUnavailable
    """
    stored = require_redis(store).connection.command("HGETALL", _COUNTS)
    return {
        msgspec.json.decode(name, type=Counted): int(number)
        for name, number in zip(stored[::2], stored[1::2], strict=True)
    }


def living(store: EventStore) -> dict[str, bool]:
    """Which processes gave a sign of life lately.

    Raises:
        StoreUnavailable
    """
    command = require_redis(store).connection.command
    return {process: command("EXISTS", f"{{processes}}:{process}") == 1 for process in PROCESSES}
