"""Talking to the server: bounded in time, with a stated retry policy, our errors and no loose types.

Retry policy: two more attempts after a lost connection or a late answer, with a short growing pause. A command that
was never sent is always sent again. One that was sent, and may have been executed, is sent again only if it is
repeatable: `events.store.redis.client.repeating` lists the commands, and `repeat=True` says so of a script or a
function, such as an append, which is recognised by its command id, or a projection's step, recognised by its
checkpoint. Of any other command the loss is reported (`ReplyLost`). Blocking reads have connections of their own,
wait longer than the server blocks, and are never repeated: their caller asks again anyway. A caller that has bounded
its waiting (`events.store.waiting`) waits no longer than that in all, attempts and pauses together.

An address may lead to another server after a failover: where a server says that it is a replica, the connections
to it are closed and the command is sent once more on a new one.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import redis
from redis.backoff import ExponentialWithJitterBackoff

from events.store.errors import StoreRefused
from events.store.redis.client.errors import ReplyLost, translate
from events.store.redis.client.pipeline import Pipeline
from events.store.redis.client.pool import Argument, Pool
from events.store.redis.client.repeating import is_repeatable
from events.store.waiting import count_waiting, waiting_left

CONNECT_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 3.0
"""How long an answer may take; with `appendfsync always` a slow disk shows here."""
RETRIES: Final = 2
PAUSES: Final = ExponentialWithJitterBackoff(base=0.05, cap=0.5)
"""Before each of them."""
LONGEST_BLOCK_SECONDS: Final = 5.0
"""One blocking read at most; longer waits are made of several."""
MOST_CONNECTIONS: Final = 64
"""Connections of each pool; a further thread waits up to `ANSWER_SECONDS` for a free one."""


class RedisConnection:
    """A pool of connections to one server for everything that answers at once, and one for blocking reads.

    Safe for many threads, and for a process that forks after making it. Every method may raise
    `StoreUnavailable`, `StoreRefused` and `StoreDamaged`. Replies have the protocol's own shape: bytes,
    integers, None and lists. `events.store.redis.client.cluster` has the same for a cluster.
    """

    def __init__(self, url: str, retries: int = RETRIES) -> None:
        """Prepare for `redis://`, `rediss://` or `unix://`; connects at the first command.

        Raises:
            StoreRefused: the address cannot be understood.
        """
        self._retries = retries
        self._url = url
        try:
            self._pool = _pool(url, ANSWER_SECONDS)
            self._blocking_pool = _pool(url, LONGEST_BLOCK_SECONDS + ANSWER_SECONDS)
        except ValueError as error:
            message = f"REDIS_URL cannot be understood: {error}"
            raise StoreRefused(message) from error

    @property
    def name(self) -> str:
        """Where the server is, without user and password: for people."""
        return self._pool.server

    def command(self, *arguments: Argument, repeat: bool = False) -> Any:
        """Send one command and return its reply; `repeat` as in `commands`."""
        return self.commands(arguments, repeat=repeat)[0]

    def independent_commands(
        self, commands: Sequence[Sequence[Argument]], *, repeat: bool = False
    ) -> list[Any]:
        """Send several commands that do not hang together, whatever their keys; return their replies in order."""
        return self.commands(*commands, repeat=repeat) if commands else []

    def answered_commands(self, commands: Sequence[Sequence[Argument]], *, repeat: bool = False) -> list[Any]:
        """As `independent_commands`, with None where only a part of the store does not answer: here there is one."""
        return self.independent_commands(commands, repeat=repeat)

    def commands(self, *commands: Sequence[Argument], repeat: bool = False) -> list[Any]:
        """Send several commands on one connection and return their replies, or raise the first error.

        `repeat` declares that they may be executed twice. Without it they are only if each is repeatable by itself.

        Raises:
            ReplyLost: they may have been executed, and may not be sent again; or no attempt had an answer.
        """
        repeat = repeat or all(map(is_repeatable, commands))
        failures, moved = 0, False
        while True:
            began = time.monotonic()
            try:
                return _good(self._pool.exchange(*commands, most_seconds=waiting_left()))
            except redis.ReadOnlyError as error:
                if moved:
                    raise translate(error) from error
                # The connections lead to a replica by now; new ones lead where the address does.
                moved = True
                self.close()
            except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
                failures += 1
                pause = PAUSES.compute(failures)
                count_waiting(time.monotonic() - began)
                found = translate(error)
                is_last = failures > self._retries or pause >= waiting_left()
                if is_last or (isinstance(found, ReplyLost) and not repeat):
                    raise found from error
                moved = False
                time.sleep(pause)
                count_waiting(pause)
            except redis.RedisError as error:
                raise translate(error) from error

    def read_streams(self, positions: Mapping[str, str], count: int, seconds: float) -> list[Any]:
        """Wait until one of the streams has entries after its position, or time is up; as XREAD answers.

        `positions` maps each stream's key to an entry id; at most `count` entries of each are returned.
        """
        deadline = time.monotonic() + seconds
        streams: tuple[Argument, ...] = (*positions, *positions.values())
        while True:
            left = min(deadline - time.monotonic(), LONGEST_BLOCK_SECONDS)
            # A block of 0 milliseconds would be one without end.
            block = ("BLOCK", int(left * 1000)) if left >= 0.001 else ()  # noqa: PLR2004
            try:
                found = _good(
                    self._blocking_pool.exchange(("XREAD", "COUNT", count, *block, "STREAMS", *streams))
                )[0]
            except (redis.RedisError, OSError) as error:
                raise translate(error) from error
            if found or not block:
                return found or []

    def servers(self) -> tuple["RedisConnection", ...]:
        """Every server that takes writes: here this one, of a cluster all its primaries."""
        return (self,)

    def pipeline(self) -> Pipeline | None:
        """A pipeline to the same server, for an event loop; None where there are several servers."""
        return Pipeline(self._url)

    def close(self) -> None:
        """Close all connections; a later command opens new ones."""
        for pool in (self._pool, self._blocking_pool):
            pool.disconnect()


def _good(replies: list[Any]) -> list[Any]:
    """The replies, or the first error among them, raised."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


def _pool(url: str, answer_seconds: float) -> Pool:
    return Pool(
        url,
        MOST_CONNECTIONS,
        connect_seconds=CONNECT_SECONDS,
        answer_seconds=answer_seconds,
        wait_seconds=ANSWER_SECONDS,
    )
