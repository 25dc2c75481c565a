"""Talking to the server: bounded in time, with a stated retry policy, our errors and no loose types.

Retry policy: two more attempts after a lost connection or a late answer, with a short growing pause. This is
safe for everything that is sent here: reads change nothing, an append is recognised by its command id, a
projection's step by its checkpoint, and the rest (loading the functions, fixing the installation) has the
same effect once or thrice. Blocking reads have connections of their own, wait longer than the server blocks,
and are never repeated: their caller asks again anyway.
"""

from collections.abc import Sequence
from typing import Any, Final

import redis
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.retry import Retry

from events.redis_errors import redis_errors_translated
from events.store_errors import StoreRefused

CONNECT_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 3.0
"""How long an answer may take; with `appendfsync always` a slow disk shows here."""
RETRIES: Final = 2
LONGEST_BLOCK_SECONDS: Final = 5.0
"""One blocking read at most; longer waits are made of several."""
MOST_CONNECTIONS: Final = 64
"""Connections of each pool; a further thread waits up to `ANSWER_SECONDS` for a free one."""

Argument = str | bytes | int | float


class RedisConnection:
    """A pool of connections to one server for everything that answers at once, and one for blocking reads.

    Safe for many threads, and for a process that forks after making it. Every method may raise
    `StoreUnavailable`, `StoreRefused` and `StoreDamaged`. Replies have the protocol's own shape: bytes,
    integers, None and lists.
    """

    def __init__(self, url: str) -> None:
        """Prepare for `redis://`, `rediss://` or `unix://`; connects at the first command.

        Raises:
            StoreRefused: the address cannot be understood.
        """
        retry = Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), RETRIES)
        try:
            self._client = _client(url, ANSWER_SECONDS, retry)
            self._blocking_client = _client(
                url, LONGEST_BLOCK_SECONDS + ANSWER_SECONDS, Retry(NoBackoff(), 0)
            )
        except ValueError as error:
            message = f"REDIS_URL cannot be understood: {error}"
            raise StoreRefused(message) from error

    def command(self, *arguments: Argument) -> Any:
        """Send one command and return its reply."""
        with redis_errors_translated():
            return self._client.execute_command(*arguments)

    def commands(self, commands: Sequence[tuple[Argument, ...]]) -> list[Any]:
        """Send several commands that do not hang together at once, and return their replies in order."""
        with redis_errors_translated(), self._client.pipeline(transaction=False) as pipeline:
            for arguments in commands:
                pipeline.execute_command(*arguments)
            replies = pipeline.execute(raise_on_error=False)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return list(replies)

    def command_and_wait(self, arguments: tuple[Argument, ...], milliseconds: int) -> tuple[Any, int]:
        """Send a command and wait for a replica, on one connection; return the reply and how many have it."""
        with redis_errors_translated(), self._client.pipeline(transaction=False) as pipeline:
            pipeline.execute_command(*arguments)
            pipeline.execute_command("WAIT", 1, milliseconds)
            replies = pipeline.execute(raise_on_error=False)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return replies[0], int(replies[1])

    def blocking_command(self, *arguments: Argument) -> Any:
        """Send a command that blocks for at most `LONGEST_BLOCK_SECONDS` and return its reply."""
        with redis_errors_translated():
            return self._blocking_client.execute_command(*arguments)

    def close(self) -> None:
        """Close all connections; a later command opens new ones."""
        for client in (self._client, self._blocking_client):
            client.connection_pool.disconnect()


def _client(url: str, answer_seconds: float, retry: Retry) -> Any:
    """Return a `redis.Redis` with a bounded pool that leaves replies as they are."""
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=MOST_CONNECTIONS,
        timeout=ANSWER_SECONDS,
        socket_timeout=answer_seconds,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=retry,
        protocol=2,
    )
    client = redis.Redis(connection_pool=pool)
    client.response_callbacks.clear()
    return client
