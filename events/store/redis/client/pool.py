"""A pool of redis-py's connections that lends one for one exchange: write, then read.

redis-py's own client and pool ask the socket before each command whether it is still good, and go through a dozen
calls: nearly as much work again as the exchange itself. Here only a connection that has been idle for a while is
asked; and one that turns out to be gone takes the idle others with it, since what ended one has ended them: so
whoever tries again begins with a new one.
"""

import os
from collections import deque
from collections.abc import Sequence
from math import inf
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import Any, Final

import redis

IDLE_SECONDS: Final = 1.0
"""A connection that nobody has used for so long is asked whether it is still good."""

Argument = str | bytes | int | float


class NotSent(redis.ConnectionError):
    """No command was sent, so none was executed: there is no connection."""


class Pool:
    """Connections to one server; safe for many threads, and for a process that forks after making it."""

    def __init__(
        self, url: str, most: int, *, connect_seconds: float, answer_seconds: float, wait_seconds: float
    ) -> None:
        """Lend at most so many at once; whoever comes later waits so long for one.

        Raises:
            ValueError: the address cannot be understood.
        """
        # The library's pool reads the address, and knows the kind of connection and its settings; it lends nothing.
        known = redis.ConnectionPool.from_url(
            url,
            socket_connect_timeout=connect_seconds,
            socket_timeout=answer_seconds,
            retry=redis.retry.Retry(redis.backoff.NoBackoff(), 0),
            protocol=2,
        )
        self._kind: Any = known.connection_class
        self._settings = known.connection_kwargs
        try:
            self._kind(**self._settings)  # connects nowhere
        except TypeError as error:
            raise ValueError(f"it has an unknown option: {str(error).rpartition(' ')[2]}") from error
        self._most, self._wait_seconds = most, wait_seconds
        self._lock = Lock()
        self._begin()

    @property
    def server(self) -> str:
        """Where the server is, without user and password: for people."""
        return self._settings.get("path") or f"{self._settings.get('host')}:{self._settings.get('port')}"

    def exchange(self, *commands: Sequence[Argument], most_seconds: float = inf) -> list[Any]:
        """Send commands together and return their replies in order; one that the server refuses is an exception.

        With `most_seconds` it waits no longer than that for a connection, and for each reply.

        Raises:
            NotSent: nothing was sent; also when no connection becomes free in time.
            redis.ConnectionError, redis.TimeoutError: the commands may have been executed.
        """
        if most_seconds <= 0:
            raise NotSent("No time is left to wait for the store")
        if self._process != os.getpid():
            self._leave_to_parent()
        free, generation = self._free, self._generation
        if not free.acquire(timeout=min(self._wait_seconds, most_seconds)):
            raise NotSent("No connection became free in time")
        try:
            connection = self._idle_one() or self._kind(**self._settings)
            self._limit_waiting(connection, most_seconds)
            try:
                _connect(connection)
                packed = connection.pack_commands(commands)
                connection.send_packed_command(packed, check_health=False)
                replies = [_reply(connection) for _ in commands]
            except BaseException:
                connection.disconnect()
                self.disconnect()
                raise
            with self._lock:
                is_good = generation == self._generation
                if is_good:
                    self._idle.append((connection, monotonic()))
            if not is_good:
                connection.disconnect()
        finally:
            free.release()
        return replies

    def disconnect(self) -> None:
        """Close all connections that are not lent, and each of the others as soon as it is given back."""
        with self._lock:
            self._generation += 1
            idle = tuple(self._idle)
            self._idle.clear()
        for connection, _ in idle:
            connection.disconnect()

    def _limit_waiting(self, connection: Any, most_seconds: float) -> None:
        """Let a connection wait as long as ours do, or so long where that is less."""
        seconds = min(self._settings["socket_timeout"], most_seconds)
        if connection.socket_timeout != seconds:
            connection.socket_timeout = seconds
            connection.socket_connect_timeout = min(self._settings["socket_connect_timeout"], most_seconds)
            connection.update_current_socket_timeout(seconds)

    def _begin(self) -> None:
        self._process = os.getpid()
        self._generation = 0
        self._idle: deque[tuple[Any, float]] = deque()
        """The connections that nobody uses, and since when."""
        self._free = BoundedSemaphore(self._most)

    def _idle_one(self) -> Any:
        """The connection that was used last, where it is still good; None where there is none."""
        while self._idle:
            try:
                connection, since = self._idle.pop()
            except IndexError:
                return None
            if monotonic() - since < IDLE_SECONDS or _is_good(connection):
                return connection
            connection.disconnect()
        return None

    def _leave_to_parent(self) -> None:
        """Begin anew in a process that was forked: the connections are those of the process before it."""
        with self._lock:
            if self._process != os.getpid():
                self._begin()


def _connect(connection: Any) -> None:
    """Connect, unless it is connected."""
    try:
        connection.connect()
    except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
        raise NotSent(str(error)) from error


def _is_good(connection: Any) -> bool:
    """Whether it is open, and has nothing to say: that would be a reply to somebody else."""
    try:
        return not connection.can_read(timeout=0)
    except (redis.ConnectionError, redis.TimeoutError, OSError):
        return False


def _reply(connection: Any) -> Any:
    """The next reply; a refusal is returned, because the connection is as good as before."""
    try:
        return connection.read_response()
    except redis.ResponseError as refusal:
        return refusal
