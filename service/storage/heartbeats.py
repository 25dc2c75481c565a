"""Signs of life of the processes that nobody can ask, and what they have counted.

The projector, the bots and the webhooks' process serve no requests. While their loop turns they set a key that
expires, so the HTTP interface can say whether they live, and add what they counted to a hash beside it. Workers have
signs of life of their own in the queue (`service.storage.queues`); what they counted is here too.

{processes}:<name>   string: when the process began, in milliseconds since the epoch; expires
{processes}:counts   hash: a name and its labels, as a JSON list -> what was counted since the installation began
{processes}:batch:<random>   string that expires: number of the last batch of counts that a process has added
"""

import logging
import secrets
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
from service.platform.metrics import LOOP_FAILURES, command_type
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
_BATCH_SECONDS: Final = 86_400
"""How long a batch that is sent again, after a lost reply, is recognised."""
_SINGLE_SECONDS: Final = 60
"""The same for a single count, which is not sent again after the call has returned."""
_ADD: Final = """
if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[1]) then return 0 end
for i = 3, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
return 1
"""

LOOP_FAILURES_NAME: Final = "loop_failures"
"""The name of the counts of failures in loops, by loop."""
Counted = tuple[str, ...]
"""A name and its labels."""


class CountBatches:
    """Adds what one process counts to the counts in the store, exactly once."""

    def __init__(self, store: EventStore, recognised_seconds: int = _BATCH_SECONDS) -> None:
        """Add to the counts in this store; it recognises a repeated batch for `recognised_seconds`."""
        self._command = require_redis(store).connection.command
        self._key = f"{{processes}}:batch:{secrets.token_hex(8)}"
        self._recognised_seconds = recognised_seconds
        self._number = 0
        self._unconfirmed: dict[Counted, int] = {}

    def add(self, counted: Counter[Counted]) -> None:
        """Add counts and empty the counter.

        A batch that the store does not confirm is kept, and added first the next time: under its own number, by which
        the store recognises one that it has added before.

        Raises:
            StoreUnavailable, StoreRefused
        """
        self._send()
        if counted:
            self._unconfirmed = dict(counted)
            counted.clear()
            self._number += 1
            self._send()

    def _send(self) -> None:
        if not self._unconfirmed:
            return
        pairs = [part for each, n in self._unconfirmed.items() for part in (msgspec.json.encode(each), n)]
        arguments = (self._number, self._recognised_seconds, *pairs)
        self._command("EVAL", _ADD, 2, _COUNTS, self._key, *arguments, repeat=True)
        self._unconfirmed = {}


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
        self._failed: Counter[Counted] = Counter()
        self._batches = CountBatches(store)

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
        failed: Counter[Counted] = Counter(
            {
                (LOOP_FAILURES_NAME, sample.labels["loop"]): int(sample.value)
                for family in LOOP_FAILURES.collect()
                for sample in family.samples
                if sample.name.endswith("_total")
            }
        )
        self._counted.update(failed - self._failed)
        self._failed = failed
        self._batches.add(self._counted)

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
    CountBatches(store, _SINGLE_SECONDS).add(Counter({counted: number}))


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
