"""One connection to a server for everything that an event loop asks of it: sent together, answered in order.

Nobody waits for an answer before the next question goes out. So what many ask at the same time is one write, and with
`appendfsync always` one fsync of the server. It repeats nothing: where the connection is lost, an answer is late, or
the server is away, it says so at once, and who has asked turns to `RedisConnection`, which knows when to ask again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import hiredis
import redis

from events.store.redis.client.pool import Argument

CONNECT_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 1.2
"""How long an answer may take; who has asked has to have time left to ask in another way."""
LOOK_SECONDS: Final = 0.2
"""How often it is looked whether one is late."""
REST_SECONDS: Final = 1.0
"""After a failure nothing is sent for so long."""
MOST_WAITING: Final = 1024
"""Questions that wait for an answer at most."""
_log = logging.getLogger("fieldbook.store")


class PipelineBroken(Exception):
    """There is no answer: whether the command was executed is not known."""


class _Question(NamedTuple):
    """A command that waits for its reply."""

    command: Sequence[Argument]
    answer: asyncio.Future[Any]
    since: float


class Pipeline(asyncio.Protocol):
    """The connection, for the coroutines of one event loop; it connects at the first question."""

    def __init__(self, url: str) -> None:
        """Prepare for `redis://`, `rediss://` or `unix://`."""
        # The library's pool reads the address, and knows the kind of connection and its settings; it lends nothing.
        known = redis.asyncio.ConnectionPool.from_url(
            url,
            socket_connect_timeout=CONNECT_SECONDS,
            # What waits for long is seen here.
            socket_timeout=None,
            retry=redis.asyncio.retry.Retry(redis.backoff.NoBackoff(), 0),
            protocol=2,
        )
        self._kind: Any = known.connection_class
        self._settings = known.connection_kwargs
        self._unsent: deque[_Question] = deque()
        self._sent: deque[_Question] = deque()
        self._writer: Any = None
        self._transport: asyncio.Transport | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._is_flushing = False
        self._rests_until = 0.0
        self._reader = self._new_reader()

    async def ask(self, *commands: Sequence[Argument]) -> list[Any]:
        """Send commands together and return their replies in order.

        Raises:
            PipelineBroken: there are no replies, or there is no room for further questions.
            redis.ResponseError: the server refuses one.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._transport is None and now < self._rests_until:
            raise PipelineBroken("The store did not answer a moment ago")
        if len(self._unsent) + len(self._sent) >= MOST_WAITING:
            raise PipelineBroken("Too much is waited for")
        asked = [_Question(command, loop.create_future(), now) for command in commands]
        self._unsent.extend(asked)
        if self._transport is None:
            self._connecting = self._connecting or loop.create_task(self._connect())
        elif not self._is_flushing:
            self._is_flushing = True
            # What others ask in this turn of the loop goes out with it.
            loop.call_soon(self._flush)
        if len(asked) == 1:
            return [await asked[0].answer]
        return await asyncio.gather(*(each.answer for each in asked))

    def close(self) -> None:
        """Close the connection; what is waited for is broken off."""
        if self._connecting is not None:
            self._connecting.cancel()
        self._break("it is closed")

    def data_received(self, data: bytes) -> None:
        """Replies, or parts of them."""
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not False:
                self._settle(reply)
        except (redis.InvalidResponse, IndexError) as error:
            # Nobody knows any more whose reply is whose.
            self._break(repr(error))

    def connection_lost(self, exc: Exception | None) -> None:
        """The server, or something on the way, has ended the connection."""
        self._break(str(exc or "the connection was closed"))

    async def _connect(self) -> None:
        """Connect as redis-py does, and take over what it has connected."""
        connection = self._kind(**self._settings)
        try:
            # Its own bound is on connecting alone, and not on the first answers.
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.connect()
        except (redis.RedisError, OSError, TimeoutError) as error:
            self._break(str(error))
        else:
            # Its streams would wake three coroutines for each reply; nothing public gives the transport away.
            self._writer, connection._writer = connection._writer, None  # noqa: SLF001
            self._transport, self._reader = self._writer.transport, self._new_reader()
            self._transport.set_protocol(self)
            self._flush()
        finally:
            self._connecting = None

    def _flush(self) -> None:
        """Send what waits to be sent."""
        self._is_flushing = False
        if self._transport is None or not self._unsent:
            return
        # redis-py's own packing is Python. The stub of this one knows a single argument.
        packed = [hiredis.pack_command(tuple(each.command)) for each in self._unsent]  # type: ignore[arg-type]
        self._sent.extend(self._unsent)
        self._unsent.clear()
        self._transport.write(b"".join(packed))
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """Give up where an answer is late."""
        self._looking = None
        if not self._sent:
            return
        loop = asyncio.get_running_loop()
        if loop.time() - self._sent[0].since > ANSWER_SECONDS:
            self._break("an answer is late")
        else:
            self._looking = loop.call_later(LOOK_SECONDS, self._look)

    def _settle(self, reply: Any) -> None:
        answer = self._sent.popleft().answer
        if answer.done():
            # Nobody waits for it any more.
            return
        if isinstance(reply, Exception):
            answer.set_exception(reply)
        else:
            answer.set_result(reply)

    def _break(self, why: str) -> None:
        """Rest, and tell everybody who waits."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()
            self._writer = None
        waiting = [*self._sent, *self._unsent]
        self._sent.clear()
        self._unsent.clear()
        if transport is None and not waiting:
            return
        _log.info("the store's pipeline is broken: %s", why)
        self._rests_until = asyncio.get_running_loop().time() + REST_SECONDS
        for each in waiting:
            if not each.answer.done():
                broken = PipelineBroken("The connection to the store is lost, or its answer is late")
                each.answer.set_exception(broken)

    @staticmethod
    def _new_reader() -> Any:
        return hiredis.Reader(protocolError=redis.InvalidResponse, replyError=redis.ResponseError)
