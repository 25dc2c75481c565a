"""A cluster used like one server: each command goes to the primary that has its key's slot.

Only primaries are asked, so what was acknowledged is read. A command that is sent to the wrong one was not executed
and is sent where the answer points; while a slot is on its way, or a primary has failed and its replica takes over,
it is tried again for `PATIENCE_SECONDS`, and then the store counts as unavailable. Commands whose reply was lost are
repeated under the same conditions as on one server (see `events.store.redis.client.connection`). Why redis-py's own
cluster client is not used: `docs/decisions/0002-append-function.md`.
"""

import time
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

from events.store.errors import StoreRefused, StoreUnavailable
from events.store.redis.client.addresses import Addresses, Place
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.errors import FunctionMissing, Redirected, ReplyLost
from events.store.redis.client.pool import Argument
from events.store.redis.client.repeating import is_repeatable
from events.store.redis.client.routing import SlotMap, slot_of
from events.store.waiting import count_waiting, waiting_at_most, waiting_left

PATIENCE_SECONDS: Final = 3.0
"""How long a command is tried again at most, counted from its first attempt."""
FAILED_SECONDS: Final = 5.0
"""A slot with which patience came to nothing is asked without any for so long: nobody waits for it anew each time."""
LEARNED_SECONDS: Final = 1.0
"""Who has waited so long in vain has learned that the slot has failed."""
AFTER_A_FAILURE_SECONDS: Final = 0.1
"""How long some slots are waited for in vain after another one has failed that was asked with them."""
FIRST_PAUSE_SECONDS: Final = 0.02
LONGEST_PAUSE_SECONDS: Final = 0.3
FREE_REDIRECTIONS: Final = 3
"""What is sent on more often than that is sent on after a pause: the servers do not agree yet."""
LOOK_SECONDS: Final = 0.03
"""Pause between two looks at the streams that are followed."""
LOOKING_COSTS: Final = 9
"""Pauses are at least so many times as long as a look, so that following takes a tenth of a processor at most."""


class RedisClusterConnection(RedisConnection):
    """Connections to every server of a cluster that is heard of."""

    def __init__(self, addresses: Addresses) -> None:
        """Hear from one of these servers which others there are.

        Raises:
            StoreUnavailable: none of them answers.
            StoreRefused: an address cannot be understood, or a server is none of a cluster.
        """
        self._addresses = addresses
        self._nodes: dict[Place, RedisConnection] = {}
        self._failed: dict[int, float] = {}
        """Slots that have failed lately, and until when they are asked without patience."""
        self._slots = SlotMap(addresses.places(), lambda place: self._node(place).command("CLUSTER", "SLOTS"))

    def pipeline(self) -> None:
        """None: a pipeline leads to one server."""
        return

    def command(self, *arguments: Argument, repeat: bool = False) -> Any:
        """Send one command to where its key is; one without a key goes to every primary.

        Then numbers are added, lists are put together, and of other replies the first one stands.
        """
        slot = slot_of(arguments)
        if slot is None:
            return _together([server.command(*arguments, repeat=repeat) for server in self.servers()])
        return self._at(slot, (arguments,), repeat=repeat)[0]

    def independent_commands(
        self, commands: Sequence[Sequence[Argument]], *, repeat: bool = False
    ) -> list[Any]:
        """Send several commands that do not hang together, those of one slot at once; replies in their order."""
        places: dict[int | None, list[int]] = {}
        for place, arguments in enumerate(commands):
            places.setdefault(slot_of(arguments), []).append(place)
        replies: list[Any] = [None] * len(commands)
        for slot, group in places.items():
            chosen = [commands[place] for place in group]
            if slot is None:
                found = [self.command(*each, repeat=repeat) for each in chosen]
            else:
                found = self._at(slot, chosen, repeat=repeat)
            for place, reply in zip(group, found, strict=True):
                replies[place] = reply
        return replies

    def answered_commands(self, commands: Sequence[Sequence[Argument]], *, repeat: bool = False) -> list[Any]:
        """As `independent_commands`, with None for what those slots would have said that do not answer, or refuse.

        Raises:
            StoreUnavailable, StoreRefused: all of them do.
        """
        replies: list[Any] = [None] * len(commands)
        places: dict[int | None, list[int]] = {}
        for place, arguments in enumerate(commands):
            places.setdefault(slot_of(arguments), []).append(place)
        failure: StoreUnavailable | StoreRefused | None = None
        answered = False
        for group in places.values():
            try:
                with waiting_at_most(AFTER_A_FAILURE_SECONDS if failure else inf):
                    found = self.independent_commands([commands[place] for place in group], repeat=repeat)
            except (StoreUnavailable, StoreRefused) as error:
                failure = error
                continue
            answered = True
            for place, reply in zip(group, found, strict=True):
                replies[place] = reply
        if failure is not None and not answered:
            raise failure
        return replies

    def commands(self, *commands: Sequence[Argument], repeat: bool = False) -> list[Any]:
        """Send several commands on one connection, to where the first one's key is; WAIT may be among them."""
        slot = slot_of(commands[0])
        if slot is None:
            message = "The first of several commands must have a key."
            raise ValueError(message)
        return self._at(slot, commands, repeat=repeat)

    def read_streams(self, positions: Mapping[str, str], count: int, seconds: float) -> list[Any]:
        """Look at every stream again and again: a cluster blocks for streams of one slot only."""
        deadline = time.monotonic() + seconds
        while True:
            began = time.monotonic()
            found: list[Any] = []
            for key, after in positions.items():
                found += self.command("XREAD", "COUNT", count, "STREAMS", key, after) or ()
            now = time.monotonic()
            if found or now >= deadline:
                return found
            time.sleep(min(deadline - now, max(LOOK_SECONDS, LOOKING_COSTS * (now - began))))

    def servers(self) -> tuple[RedisConnection, ...]:
        """Every primary that has slots by now."""
        self._slots.refresh(time.monotonic())
        return tuple(self._node(place) for place in self._slots.owners())

    def close(self) -> None:
        """Close all connections; a later command opens new ones."""
        for node in tuple(self._nodes.values()):
            node.close()

    def _at(self, slot: int, commands: Sequence[Sequence[Argument]], *, repeat: bool) -> list[Any]:
        """Send commands to the server of a slot, wherever that is in the end."""
        repeat = repeat or all(map(is_repeatable, commands))
        began = time.monotonic()
        has_failed = began < self._failed.get(slot, 0.0)
        patience = Patience(0.0 if has_failed else PATIENCE_SECONDS)
        try:
            replies = self._insist(slot, commands, patience, repeat=repeat)
        except StoreUnavailable:
            # Who was in a hurry has learned nothing of a slot that is on its way to another server.
            if has_failed or time.monotonic() - began > LEARNED_SECONDS:
                self._failed[slot] = time.monotonic() + FAILED_SECONDS
            raise
        self._failed.pop(slot, None)
        return replies

    def _insist(
        self, slot: int, commands: Sequence[Sequence[Argument]], patience: "Patience", *, repeat: bool
    ) -> list[Any]:
        redirections = 0
        place, asking = None, False
        while True:
            began = time.monotonic()
            try:
                if place is None:
                    place, asking = self._slots.owner(slot), False
                return self._send_to(place, commands, asking=asking)
            except Redirected as elsewhere:
                redirections += 1
                if redirections > FREE_REDIRECTIONS:
                    patience.wait(StoreUnavailable(f"Slot {slot} of the cluster is being moved. Try again."))
                host = elsewhere.host or (place.host if place is not None else "")
                place, asking = Place(host, elsewhere.port), elsewhere.asking
                if not asking:
                    self._refresh(began)
            except StoreUnavailable as error:
                if isinstance(error, ReplyLost) and not repeat:
                    raise
                patience.wait(error)
                self._refresh(began, place)
                place = None

    def _send_to(self, place: Place, commands: Sequence[Sequence[Argument]], *, asking: bool) -> list[Any]:
        node = self._node(place)
        try:
            if asking:
                # It holds for one command only.
                asked = [each for command in commands for each in (("ASKING",), command)]
                return node.commands(*asked)[1::2]
            return node.commands(*commands)
        except FunctionMissing as missing:
            missing.server = node
            raise

    def _refresh(self, since: float, last: Place | None = None) -> None:
        try:
            self._slots.refresh(since, last)
        except StoreUnavailable:
            # What was known may still do; if not, the next attempt says so.
            return

    def _node(self, place: Place) -> RedisConnection:
        """The connections to one server. It tries once: what comes next depends on where the slot is by then."""
        node = self._nodes.get(place)
        if node is None:
            node = self._nodes.setdefault(place, RedisConnection(self._addresses.at(place), retries=0))
        return node


class Patience:
    """How long one command is tried again, with growing pauses."""

    def __init__(self, seconds: float) -> None:
        """Begin now, with so much of it."""
        self._deadline = time.monotonic() + seconds
        self._pause = FIRST_PAUSE_SECONDS

    def wait(self, error: StoreUnavailable) -> None:
        """Wait before the next attempt; raises the error when there is no time for one."""
        if time.monotonic() + self._pause >= self._deadline or self._pause >= waiting_left():
            raise error
        time.sleep(self._pause)
        count_waiting(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)


def _together(replies: Sequence[Any]) -> Any:
    """One reply out of those of several servers."""
    if all(isinstance(reply, int) for reply in replies):
        return sum(replies)
    if all(isinstance(reply, list) for reply in replies):
        return [each for reply in replies for each in reply]
    return replies[0]
