"""Our functions on the server: loading them, loading them again, calling them."""

from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any, Final, TypeVar

from events.store.errors import StoreUnavailable
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.errors import FunctionMissing
from events.store.redis.client.pool import Argument
from events.store.redis.entries import ANSWER

LIBRARY: Final = "fieldbook"
"""Name of the library; a release that changes its behaviour gives it another name (see `append_functions.lua`)."""

FILES: Final = (
    "append",
    "damage",
    "projection",
    "list",
    "archive",
    "annotation",
    "dispute",
    "webhook",
    "life",
    "tournament",
)
"""The library's files in the order of their use, each named after it: `append_functions.lua` begins."""

ONCE: Final = frozenset({"delivery_claim", "delivery_next"})
"""Functions that are not repeated after a lost reply: a second claim takes another webhook, a second renewal fails.

The webhook is served when the lease has ended.

All others recognise a second call: an append by its command id, a projection's step by its checkpoint, and so on.
"""

Replies = TypeVar("Replies")

SOURCE: Final = "\n".join(
    resources.files(__package__).joinpath("lua", f"{name}_functions.lua").read_text(encoding="utf-8")
    for name in FILES
)


class StoreFunctions:
    """The functions of our library on a server, or on every primary of a cluster."""

    def __init__(self, connection: RedisConnection) -> None:
        """Make sure each server has exactly our source under our name."""
        self._connection = connection
        for server in connection.servers():
            if _loaded_source(server) != SOURCE.encode():
                _load(server)

    def arguments(
        self, function: str, keys: Sequence[str], arguments: Sequence[Argument]
    ) -> tuple[Argument, ...]:
        """Return the whole command that calls a function of the library."""
        return ("FCALL", f"{LIBRARY}_{function}", len(keys), *keys, *arguments)

    def call(self, function: str, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Call a function and return its reply, loading the library again when a server has lost it."""
        command = self.arguments(function, keys, arguments)
        return self._loading(lambda: self._connection.command(*command, repeat=function not in ONCE))

    def call_all(self, function: str, calls: Sequence[tuple[Sequence[str], Sequence[Argument]]]) -> list[Any]:
        """Call a function that changes nothing with several keys and arguments at once; the replies in order."""
        commands = [self.arguments(function, keys, arguments) for keys, arguments in calls]
        return self._loading(lambda: self._connection.independent_commands(commands, repeat=True))

    def append_acknowledged(
        self,
        keys: Sequence[str],
        arguments: Sequence[Argument],
        remembered: tuple[Argument, ...],
        mark: str,
        milliseconds: int,
        *,
        function: str = "append",
    ) -> Any:
        """Call a function that appends, and return its reply once a replica has what it wrote.

        `remembered` reads the answer that the append leaves behind, `mark` is a key of the same slot that may be
        set while waiting. That the answer is still there after the wait is the proof that the wait was for this
        history: a primary that was replaced meanwhile, threw the append away and came back counts replicas too.

        Raises:
            StoreUnavailable: no replica acknowledged it in time; what was appended stands.
        """
        command = self.arguments(function, keys, arguments)
        reply, replicas, kept = self._loading(
            lambda: self._connection.commands(command, ("WAIT", 1, milliseconds), remembered, repeat=True)
        )
        if reply[0] == b"appended":
            _check_acknowledged(replicas, still_there=kept == arguments[ANSWER])
        elif reply[0] == b"known":
            # Nothing was written on this connection, so there was nothing to wait for.
            return [b"known", self.read_acknowledged(remembered, mark, milliseconds)]
        return reply

    def read_acknowledged(self, command: tuple[Argument, ...], mark: str, milliseconds: int) -> Any:
        """Read something that never changes once it is there, and return it once a replica has it.

        `mark` is set for that: replicas follow in order, so one that has the mark has all before it as well.

        Raises:
            StoreUnavailable: no replica acknowledged it in time, or it was thrown away in a failover.
        """
        before, _, replicas, after = self._loading(
            lambda: self._connection.commands(command, ("SET", mark, 1), ("WAIT", 1, milliseconds), command)
        )
        _check_acknowledged(replicas, still_there=before is not None and before == after)
        return after

    def _loading(self, send: Callable[[], Replies]) -> Replies:
        """What sending brings; where the library is missing it is loaded, and sent again."""
        try:
            return send()
        except FunctionMissing as missing:
            _load(missing.server or self._connection)
            return send()


def _check_acknowledged(replicas: int, *, still_there: bool) -> None:
    if replicas == 0 or not still_there:
        message = "The append is written, but no replica has acknowledged it. Send it again, unchanged."
        raise StoreUnavailable(message)


def _loaded_source(server: RedisConnection) -> bytes | None:
    """Return the source the server has under our name, or None."""
    for library in server.command("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY, "WITHCODE"):
        fields = dict(zip(library[::2], library[1::2], strict=True))
        source: bytes = fields[b"library_code"]
        return source
    return None


def _load(server: RedisConnection) -> None:
    """Load the library; replacing makes it harmless that several processes do so at once."""
    server.command("FUNCTION", "LOAD", "REPLACE", SOURCE)
