"""Signs of life of the processes that nobody can ask, and what they have counted.

The projector, the bots and the webhooks' process serve no requests. While their loop turns they set a key that
expires, so the HTTP interface can say whether they live, and add what they counted to a hash beside it. Workers have
signs of life of their own in the queue (`service.queue_state`); what they counted is here too.

{processes}:<name>   string: when the process began, in milliseconds since the epoch; expires
{processes}:counts   hash: a name and its labels, as a JSON list -> what was counted since the installation began
"""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from events.commands import Command
from events.redis_connection import RedisConnection
from service.clock import now_milliseconds
from service.metrics import command_type

PROCESSES: Final = ("projector", "bots", "webhooks")
"""Who gives signs of life here."""
BEAT_SECONDS: Final = 5.0
EXPIRY_SECONDS: Final = 30
"""After so long without a sign a process counts as gone; one long step of its loop must fit."""
_COUNTS: Final = "{processes}:counts"

Counted = tuple[str, ...]
"""A name and its labels."""


class Heartbeat:
    """The signs of life of one process, and its counts."""

    def __init__(self, connection: RedisConnection, process: str) -> None:
        """Speak for this process."""
        self._connection = connection
        self._key = f"{{processes}}:{process}"
        self._process = process
        self._since = now_milliseconds()
        self._next = 0.0
        self._counted: Counter[Counted] = Counter()

    def beat(self) -> None:
        """Give a sign of life, and hand in the counts, if the last time is some seconds ago.

        Raises:
            StoreUnavailable, StoreRefused
        """
        now = time.monotonic()
        if now < self._next:
            return
        self._connection.command("SET", self._key, self._since, "EX", EXPIRY_SECONDS)
        self.hand_in()
        self._next = now + BEAT_SECONDS

    def hand_in(self) -> None:
        """Hand in the counts; a process that stops does it once more.

        Raises:
            StoreUnavailable, StoreRefused
        """
        for counted, number in list(self._counted.items()):
            add_count(self._connection, counted, number)
            del self._counted[counted]

    def decided(self, commands: Sequence[Command], outcome: str, place: int | None = None) -> None:  # noqa: ARG002
        """Count commands; as `service.command_handling.CommandWatch`."""
        for command in commands:
            self._counted[f"{self._process}_commands", command_type(command), outcome] += 1

    def appended(self, seconds: float) -> None:
        """Nothing is kept of this; as `service.command_handling.CommandWatch`."""


def add_count(connection: RedisConnection, counted: Counted, number: int = 1) -> None:
    """Add to a count.

    Raises:
        StoreUnavailable, StoreRefused
    """
    connection.command("HINCRBY", _COUNTS, msgspec.json.encode(counted), number)


def all_counts(connection: RedisConnection) -> dict[Counted, int]:
    """Everything that was counted.

    Raises:
        StoreUnavailable
    """
    stored = connection.command("HGETALL", _COUNTS)
    return {
        msgspec.json.decode(name, type=Counted): int(number)
        for name, number in zip(stored[::2], stored[1::2], strict=True)
    }


def living(connection: RedisConnection) -> dict[str, bool]:
    """Which processes gave a sign of life lately.

    Raises:
        StoreUnavailable
    """
    return {process: connection.command("EXISTS", f"{{processes}}:{process}") == 1 for process in PROCESSES}
