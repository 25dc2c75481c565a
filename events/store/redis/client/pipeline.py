"""One connection to a server for everything that an event loop asks of it: sent together, answered in order.

Nobody waits for an answer before the next question goes out. So what many ask at the same time is one write, and with
`appendfsync always` one fsync of the server. It repeats nothing: where the connection is lost, an answer is late, or
the server is away, it says so at once, and who has asked turns to `RedisConnection`, which knows when to ask again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from math import inf
from typing import Any, Final

import hiredis
import redis

from events.store.redis.client.pool import Argument

CONNECT_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 1.2
"""How long an answer may take; who has asked has to have time left to ask in another way."""
REST_SECONDS: Final = 1.0
"""After a failure nothing is sent for so long."""
MOST_WAITING: Final = 1024
"""Questions that wait for an answer at most."""
_log = logging.getLogger("fieldbook.store")


class PipelineBroken(Exception):
    """There is no answer: whether the command was executed is not known."""


class Pipeline:
    """The connection, for the coroutines of one event loop; it connects at the first question."""

    def __init__(self, url: str) -> None:
        """Prepare for `redis://`, `rediss://` or `unix://`."""
        # The library's pool reads the address, and knows the kind of connection and its settings; it lends nothing.
        known = redis.asyncio.ConnectionPool.from_url(
            url,
            socket_connect_timeout=CONNECT_SECONDS,
            # Each batch and each answer has its time here.
            socket_timeout=None,
            retry=redis.asyncio.retry.Retry(redis.backoff.NoBackoff(), 0),
            protocol=2,
        )
        self._kind: Any = known.connection_class
        self._settings = known.connection_kwargs
        self._unsent: deque[tuple[Sequence[Argument], asyncio.Future[Any]]] = deque()
        self._sent: deque[asyncio.Future[Any]] = deque()
        self._has_unsent, self._has_sent = asyncio.Event(), asyncio.Event()
        self._rests_until = 0.0
        self._task: asyncio.Task[None] | None = None

    async def ask(self, *commands: Sequence[Argument]) -> list[Any]:
        """Send commands together and return their replies in order.

        Raises:
            PipelineBroken: there are no replies, or there is no room for further questions.
            redis.ResponseError: the server refuses one.
        """
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done():
            if loop.time() < self._rests_until:
                raise PipelineBroken("The store did not answer a moment ago")
            self._task = loop.create_task(self._run())
        if len(self._unsent) + len(self._sent) >= MOST_WAITING:
            raise PipelineBroken("Too much is waited for")
        asked = [(command, loop.create_future()) for command in commands]
        self._unsent.extend(asked)
        self._has_unsent.set()
        if len(asked) == 1:
            return [await asked[0][1]]
        return await asyncio.gather(*(answer for _, answer in asked))

    def close(self) -> None:
        """Close the connection; what is waited for is broken off."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        """Send and read until something breaks; then everybody who waits is told."""
        connection = self._kind(**self._settings)
        try:
            await connection.connect()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._send(connection))
                group.create_task(self._read(connection))
        except* (redis.RedisError, OSError, TimeoutError) as errors:
            _log.info("the store's pipeline is broken: %s", errors.exceptions[0])
        finally:
            self._rests_until = asyncio.get_running_loop().time() + REST_SECONDS
            self._break_off()
            await connection.disconnect(nowait=True)

    async def _send(self, connection: Any) -> None:
        while True:
            await self._has_unsent.wait()
            self._has_unsent.clear()
            asked = [*self._unsent]
            self._unsent.clear()
            self._sent.extend(answer for _, answer in asked)
            self._has_sent.set()
            # redis-py's own packing, which is Python, takes a fifth of all that a command costs here.
            # Its stub knows a single argument.
            packed = [hiredis.pack_command(tuple(command)) for command, _ in asked]  # type: ignore[arg-type]
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.send_packed_command(packed, check_health=False)

    async def _read(self, connection: Any) -> None:
        while True:
            if not self._sent:
                self._has_sent.clear()
                await self._has_sent.wait()
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    reply = await connection.read_response(disable_decoding=True, timeout=inf)
            except redis.ResponseError as refusal:
                self._settle(refusal)
            else:
                self._settle(reply)

    def _settle(self, reply: Any) -> None:
        answer = self._sent.popleft()
        if answer.done():
            # Nobody waits for it any more.
            return
        if isinstance(reply, Exception):
            answer.set_exception(reply)
        else:
            answer.set_result(reply)

    def _break_off(self) -> None:
        waiting = [*self._sent, *(answer for _, answer in self._unsent)]
        self._sent.clear()
        self._unsent.clear()
        for answer in waiting:
            if not answer.done():
                answer.set_exception(
                    PipelineBroken("The connection to the store is lost, or its answer is late")
                )
