"""Our functions on the server: loading them, loading them again, calling them."""

from collections.abc import Sequence
from importlib import resources
from typing import Any, Final

from events.redis_connection import Argument, RedisConnection
from events.redis_errors import FunctionMissing
from events.store_errors import StoreUnavailable

LIBRARY: Final = "fieldbook_2"
"""Name of the library; a change in behaviour needs the next number (see `store_functions.lua`)."""

SOURCE: Final = resources.files("events").joinpath("store_functions.lua").read_text(encoding="utf-8")


class StoreFunctions:
    """The functions of `store_functions.lua` on a server, or on every primary of a cluster."""

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
        return self._sent(self.arguments(function, keys, arguments))[0]

    def call_acknowledged(
        self, function: str, keys: Sequence[str], arguments: Sequence[Argument], mark: str, milliseconds: int
    ) -> Any:
        """Call a function that appends, and return its reply once a replica has what it wrote.

        `mark` is a key of the same slot that may be set for that.

        Raises:
            StoreUnavailable: no replica acknowledged it in time; what was appended stands.
        """
        command, wait = self.arguments(function, keys, arguments), ("WAIT", 1, milliseconds)
        reply, replicas = self._sent(command, wait)
        if reply[0] == b"known":
            # Nothing was written on this connection, so there was nothing to wait for. Replicas follow in
            # order: one that has this write has the append before it as well. The call is repeated because
            # the mark may come to another server than the first answer did, after a failover.
            _, reply, replicas = self._sent(("SET", mark, 1), command, wait)
        if reply[0] in {b"appended", b"known"} and int(replicas) == 0:
            message = "The append is written, but no replica has acknowledged it. Send it again, unchanged."
            raise StoreUnavailable(message)
        return reply

    def _sent(self, *commands: tuple[Argument, ...]) -> list[Any]:
        """Send commands on one connection, again after loading the library where it is missing."""
        try:
            return self._send(*commands)
        except FunctionMissing as missing:
            _load(missing.server or self._connection)
            return self._send(*commands)

    def _send(self, *commands: tuple[Argument, ...]) -> list[Any]:
        if len(commands) == 1:
            return [self._connection.command(*commands[0])]
        return self._connection.commands(*commands)


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
