"""What an event loop asks of a store on one server without a thread for each who waits.

Whatever does not go well at once is asked again of the store itself, in a thread: an append is recognised by its
command id, so asking twice is as safe as the store's own second attempt. What `EventStore` promises holds here too.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any, Final, TypeVar

import redis

from events.log.recorded import RecordedEvent
from events.store.event_store import Appended, LogWithCommand
from events.store.redis.client.pipeline import Pipeline, PipelineBroken
from events.store.redis.redis_store import RedisEventStore
from events.store.waiting import count_waiting

FEW: Final = 64
"""Entries that are read between two questions; more of them are work for a thread."""
_AT_ONCE: Final = frozenset({b"appended", b"known", b"conflict", b"forked", b"unmet"})
"""Answers of the append function after which nothing further has to be asked."""
_T = TypeVar("_T")


class PipelinedStore:
    """A store, for the coroutines of one event loop."""

    def __init__(self, store: RedisEventStore, pipeline: Pipeline | None, threads: Executor) -> None:
        """Ask this store's server through the pipeline; where there is none, or it fails, wait in these threads."""
        self._store = store
        self._pipeline = pipeline
        self._threads = threads

    async def append(
        self,
        game_id: str,
        events: Sequence[RecordedEvent],
        *,
        expected_version: int,
        expected_hash: str,
        command_id: str,
        fingerprint: str,
        private: Mapping[str, str],
        required: Mapping[str, str],
    ) -> Appended:
        """Append events in one step; see `events.store.event_store.EventStore.append`."""
        given = {
            "expected_version": expected_version,
            "expected_hash": expected_hash,
            "command_id": command_id,
            "fingerprint": fingerprint,
            "private": private,
            "required": required,
        }
        prepared = self._store.prepare_append(game_id, events, **given)  # type: ignore[arg-type] # they are its own
        replies = await self._replies(
            self._store.functions.arguments("append", prepared.names, prepared.arguments)
        )
        if replies is not None and replies[0][0] in _AT_ONCE:
            return self._store.read_append(prepared, replies[0])
        return await self.wait_for(partial(self._store.append, game_id, events, **given))  # type: ignore[arg-type]

    async def read_with_command(self, game_id: str, version: int, command_id: str) -> LogWithCommand:
        """Return what is known of a command and the game's events from a version on."""
        asked = self._store.log_with_command_questions(game_id, version, command_id)
        if asked is not None:
            known, log = asked
            remembered, stored = await self._replies(known, (*log, "COUNT", FEW)) or (None, None)
            if remembered is None and stored and len(stored) < FEW:
                return self._store.read_log_with_command(game_id, version, stored)
        return await self.wait_for(partial(self._store.read_with_command, game_id, version, command_id))

    async def read_with_fields(
        self, game_id: str, version: int, names: Sequence[str]
    ) -> tuple[dict[str, str], tuple[RecordedEvent, ...]] | None:
        """Return these private fields of a game, and its events from a version on; None where that is no small thing.

        It is not where there are `FEW` events or more, none at all, or no pipeline.

        Raises:
            StoreDamaged
        """
        asked = self._store.fields_with_log_questions(game_id, version, names)
        if asked is None:
            return None
        fields, log = asked
        values, stored = await self._replies(fields, (*log, "COUNT", FEW)) or (None, None)
        if values is None or not stored or len(stored) >= FEW:
            return None
        held = {name: text.decode() for name, text in zip(names, values, strict=True) if text is not None}
        return held, self._store.read_log_with_command(game_id, version, stored).entries

    def begin(self, work: Callable[[], object]) -> None:
        """Have a thread do something that nobody waits for."""
        # When the process ends there is nobody left to do it, and nothing left to do.
        with suppress(RuntimeError):
            self._threads.submit(work)

    async def wait_for(self, question: Callable[[], _T]) -> _T:
        """What a thread finds that waits for the store, or works for long."""
        # The thread waits no longer for the store than whoever asks.
        run = partial(copy_context().run, question)
        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    def close(self) -> None:
        """Close the pipeline; the store itself stays open."""
        if self._pipeline is not None:
            self._pipeline.close()

    async def _replies(self, *commands: Sequence[Any]) -> list[Any] | None:
        """The replies to commands; None where there are none, or where one is an error."""
        if self._pipeline is None:
            return None
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            return await self._pipeline.ask(*commands)
        except (PipelineBroken, redis.ResponseError):
            count_waiting(loop.time() - began)
            return None
