"""Talking to the server: bounded in time, with a stated retry policy, our errors and no loose types.

Retry policy: two more attempts after a lost connection or a late answer, with a short growing pause. This is
safe for everything that is sent here: reads change nothing, an append is recognised by its command id, a
projection's step by its checkpoint, and the rest (loading the functions, fixing the installation) has the
same effect once or thrice. Blocking reads have connections of their own, wait longer than the server blocks,
and are never repeated: their caller asks again anyway.

An address may lead to another server after a failover: where a server says that it is a replica, the connections
to it are closed and the command is sent once more on a new one.
"""

import time
from collections.abc import Mapping, Sequence
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
    integers, None and lists. `events.redis_cluster` has the same for a cluster.
    """

    def __init__(self, url: str, retries: int = RETRIES) -> None:
        """Prepare for `redis://`, `rediss://` or `unix://`; connects at the first command.

        Raises:
            StoreRefused: the address cannot be understood.
        """
        retry = Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), retries)
        try:
            self._client = _client(url, ANSWER_SECONDS, retry)
            self._blocking_client = _client(
                url, LONGEST_BLOCK_SECONDS + ANSWER_SECONDS, Retry(NoBackoff(), 0)
            )
        except ValueError as error:
            message = f"REDIS_URL cannot be understood: {error}"
            raise StoreRefused(message) from error

    @property
    def name(self) -> str:
        """Where the server is, without user and password: for people."""
        settings = self._client.get_connection_kwargs()
        return settings.get("path") or f"{settings.get('host')}:{settings.get('port')}"

    def command(self, *arguments: Argument) -> Any:
        """Send one command and return its reply."""
        with redis_errors_translated():
            try:
                return self._client.execute_command(*arguments)
            except redis.ReadOnlyError:
                self._leave_replica()
                return self._client.execute_command(*arguments)

    def independent_commands(self, commands: Sequence[Sequence[Argument]]) -> list[Any]:
        """Send several commands that do not hang together, whatever their keys; return their replies in order."""
        return self.commands(*commands) if commands else []

    def commands(self, *commands: Sequence[Argument]) -> list[Any]:
        """Send several commands on one connection and return their replies, or raise the first error."""
        with redis_errors_translated():
            try:
                return self._sent(commands)
            except redis.ReadOnlyError:
                self._leave_replica()
                return self._sent(commands)

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
            with redis_errors_translated():
                found = self._blocking_client.execute_command(
                    "XREAD", "COUNT", count, *block, "STREAMS", *streams
                )
            if found or not block:
                return found or []

    def servers(self) -> tuple["RedisConnection", ...]:
        """Every server that takes writes: here this one, of a cluster all its primaries."""
        return (self,)

    def close(self) -> None:
        """Close all connections; a later command opens new ones."""
        for client in (self._client, self._blocking_client):
            client.connection_pool.disconnect()

    def _sent(self, commands: Sequence[Sequence[Argument]]) -> list[Any]:
        with self._client.pipeline(transaction=False) as pipeline:
            for arguments in commands:
                pipeline.execute_command(*arguments)
            replies: list[Any] = pipeline.execute(raise_on_error=False)
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        return replies

    def _leave_replica(self) -> None:
        """Close the connections that nobody is using, so that the next ones lead where the address leads by now."""
        for client in (self._client, self._blocking_client):
            client.connection_pool.disconnect(inuse_connections=False)


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
