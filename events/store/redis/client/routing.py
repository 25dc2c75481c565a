"""Where in a cluster a command belongs: its key, and which server has the key's slot.

Every command sent by us has its keys in one slot (`events.store.redis.keys`), so the first key says where it goes.
"""

import random
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from redis.crc import key_slot

from events.store.errors import StoreUnavailable
from events.store.redis.client.addresses import Place
from events.store.redis.client.pool import Argument

EVERYWHERE: Final = frozenset(
    {"CONFIG", "DBSIZE", "FLUSHALL", "FUNCTION", "INFO", "KEYS", "PING", "BGREWRITEAOF"}
)
"""Commands without a key; every primary gets them."""
FOR_ONE_SERVER: Final = frozenset({"SCAN", "WAIT"})
"""Commands without a key whose replies cannot be put together."""
AFTER_SUBCOMMAND: Final = frozenset({"MEMORY", "OBJECT", "XGROUP", "XINFO", "ZINTERCARD"})
"""Commands whose key stands after the name of a subcommand, or after the number of keys."""
_KEYS_OF_A_CALL: Final = 3
"""Where the keys begin in EVAL and FCALL, behind the script or the function's name, and the number of its keys."""


def slot_of(arguments: Sequence[Argument]) -> int | None:
    """Return the slot of a command's first key, or None for one that every primary gets.

    Raises:
        ValueError: the command has no key, and asking every primary would be wrong, as with SCAN.

    >>> slot_of(("HGET", "{p07}:game:1:head", "version")) == slot_of(("FCALL", "append", 1, "{p07}:feed"))
    True
    >>> slot_of(("ZINTERCARD", 2, "{p07}:a", "{p07}:b")) == slot_of(("ZCARD", "{p07}:a"))
    True
    """
    name = str(arguments[0]).upper()
    if name in EVERYWHERE:
        return None
    if name in FOR_ONE_SERVER:
        message = f"{name} has no key, and each server answers it for itself: ask every one of `servers()`."
        raise ValueError(message)
    if name in {"EVAL", "FCALL"}:
        place = _KEYS_OF_A_CALL
    elif name == "XREAD":
        place = arguments.index("STREAMS") + 1
    else:
        place = 2 if name in AFTER_SUBCOMMAND else 1
    if len(arguments) <= place:
        message = f"{name} has no key, so nothing says which server of the cluster it is for."
        raise ValueError(message)
    key = arguments[place]
    slot: int = key_slot(key if isinstance(key, bytes) else str(key).encode())
    return slot


class SlotRange(NamedTuple):
    """Slots that one server has."""

    first: int
    last: int
    owner: Place


class SlotMap:
    """Which server has which slot, as the cluster said last. What it holds is replaced whole: no lock is needed."""

    def __init__(self, start: Sequence[Place], ask: Callable[[Place], Any]) -> None:
        """Begin with these servers; `ask` returns one's reply to CLUSTER SLOTS.

        Raises:
            StoreUnavailable: none of them answers.
        """
        self._start = tuple(start)
        self._ask = ask
        self._known: tuple[Place, ...] = ()
        self._ranges: tuple[SlotRange, ...] = ()
        self._heard = 0.0
        self.refresh(time.monotonic())

    def owner(self, slot: int) -> Place:
        """Return the primary that has a slot.

        Raises:
            StoreUnavailable: no server has it.
        """
        ranges = self._ranges
        place = bisect_right(ranges, slot, key=lambda each: each.first) - 1
        if place < 0 or slot > ranges[place].last:
            message = f"No server of the cluster has slot {slot} for now. Try again."
            raise StoreUnavailable(message)
        return ranges[place].owner

    def owners(self) -> tuple[Place, ...]:
        """Return every primary that has slots."""
        return tuple(dict.fromkeys(each.owner for each in self._ranges))

    def refresh(self, since: float, last: Place | None = None) -> None:
        """Ask the cluster again, unless another thread has heard from it after the moment `since`.

        `last` is asked last: a server that just failed.

        Raises:
            StoreUnavailable: no server answers; what was known stays.
        """
        if self._heard > since:
            return
        candidates = [each for each in dict.fromkeys((*self._known, *self._start)) if each != last]
        # Not always the same one: it might be the one that is cut off from the others.
        random.shuffle(candidates)
        failure = StoreUnavailable("The cluster has no servers.")
        for place in (*candidates, *([last] if last else [])):
            try:
                reply = self._ask(place)
            except StoreUnavailable as error:
                failure = error
            else:
                self._take(reply, place)
                return
        raise failure

    def _take(self, reply: Any, asked: Place) -> None:
        """Understand `[first slot, last slot, primary, replica ...]`, each server as `[host, port, ...]`."""
        ranges, known = [], {}
        for first, last, *servers in reply:
            # No host, or none that is known, means the host that was asked.
            places = [
                Place((host or b"").decode().strip("?") or asked.host, port) for host, port, *_ in servers
            ]
            ranges.append(SlotRange(first, last, places[0]))
            known.update(dict.fromkeys(places))
        self._ranges, self._known, self._heard = tuple(sorted(ranges)), tuple(known), time.monotonic()
