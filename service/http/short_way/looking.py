"""The newest table, and what is legal there, for a seat, in an event loop: now, or when the game has moved on."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

from service.http.context.bearers import Bearer
from service.http.context.callers import Caller, Viewpoint
from service.http.context.services import Services
from service.http.follow.table_bodies import legal_body, state_body
from service.http.follow.waiting import open_waiting
from service.http.short_way.hot_request import HotRequest
from service.play.command_handling import are_few
from service.storage.pipelining import PipelinedStore

OVER: Final = "finished"


class Patience(NamedTuple):
    """How long somebody may be kept waiting besides what they asked for."""

    wake: asyncio.Event
    """Set when it is to be looked again."""
    is_over: Callable[[], bool]
    """Whether nobody waits any more: the client has left, or the process ends."""


class Looking:
    """Looks at games for seats that this process knows; the store is asked each time whether they are it still."""

    def __init__(self, services: Services, store: PipelinedStore) -> None:
        """Ask this store."""
        self._services = services
        self._store = store

    async def look(self, asked: HotRequest, seat: int, field: str, patience: Patience) -> Viewpoint | None:
        """The game as a seat sees it, whose token stands under this private field; None for the long way."""
        seen = await self._read(asked, seat, field)
        if seen is None or not asked.wait or asked.after is None:
            return seen
        table = seen.table
        if asked.after.version != table.version or table.state.status == OVER:
            return seen
        return await self._wait(asked, seat, field, patience)

    def form(self, asked: HotRequest, seen: Viewpoint) -> dict[str, Any]:
        """What the answer says."""
        if asked.kind == "table":
            return state_body(seen, seen.table, self._services.shown_names)
        return legal_body(seen.table, seen.viewer)

    async def _wait(self, asked: HotRequest, seat: int, field: str, patience: Patience) -> Viewpoint | None:
        """The game as soon as it has moved on, or as it stands when it was waited for long enough."""
        loop, before = asyncio.get_running_loop(), asked.after
        opening = partial(open_waiting, self._services, asked.game, seat, asked.wait or 0)
        waiting = await self._store.wait_for(opening)
        if waiting is None:
            return None
        waiting.watch.heard = lambda: _wake(loop, patience.wake)
        try:
            while True:
                patience.wake.clear()
                waiting.watch.look()
                seen = await self._read(asked, seat, field)
                has_moved = seen is None or before is None or seen.table.version != before.version
                if has_moved or waiting.left <= 0 or patience.is_over():
                    return seen
                with suppress(TimeoutError):
                    async with asyncio.timeout(waiting.left):
                        await patience.wake.wait()
        finally:
            self._store.begin(waiting.close)

    async def _read(self, asked: HotRequest, seat: int, field: str) -> Viewpoint | None:
        """The game as it stands; None where that takes more than to follow it for some entries."""
        found, after = self._services, asked.after
        loaded = found.tables.known(asked.game)
        if loaded is None:
            return None
        known = loaded.table.version
        first = known if after is None else min(known, after.version)
        access = found.game_access
        read = await self._store.read_with_fields(asked.game, first, access.fields(field)) if first else None
        if read is None:
            return None
        private, entries = read
        admission = access.admit(private, field)
        following = entries[known - first :]
        if admission.seat != seat or not found.tables.follows(loaded, following) or not are_few(following):
            return None
        newest = found.tables.advance(loaded, following[1:]) or loaded
        # Whether a game is played again, and names that are not known here, the store has to say.
        is_over = newest.table.state.status == OVER and asked.kind == "table"
        if is_over or not found.shown_names.known(newest.table.state):
            return None
        if after is not None:
            # The first entry is the one that is known, unless nobody can know it.
            is_known = entries[0].version == after.version and entries[0].hash.startswith(after.hash)
            is_newer = first < after.version <= newest.table.version and not after.hash
            if not (is_known or is_newer):
                return None
        caller = Caller(admission.policy, None, seat, None, game=asked.game, sender=Bearer(field=field))
        return Viewpoint(caller, seat, newest, newest.table.version)


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    # The loop may have ended before whoever tells of news.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(event.set)
