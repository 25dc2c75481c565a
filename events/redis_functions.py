"""Our functions on the server: loading them, loading them again, calling them."""

from collections.abc import Sequence
from importlib import resources
from typing import Any, Final

from events.redis_connection import Argument, RedisConnection
from events.redis_errors import FunctionMissing
from events.store_errors import StoreUnavailable

LIBRARY: Final = "fieldbook_2"
"""Name of the library; a change in behaviour needs the next number (see `store_functions.lua`)."""

SOURCE: Final = "\n".join(
    resources.files("events").joinpath(name).read_text(encoding="utf-8")
    for name in ("store_functions.lua", "projection_functions.lua")
)


class StoreFunctions:
    """The functions of `store_functions.lua` on one server."""

    def __init__(self, connection: RedisConnection) -> None:
        """Make sure the server has exactly our source under our name."""
        self._connection = connection
        if self._loaded_source() != SOURCE.encode():
            self._load()

    def arguments(
        self, function: str, keys: Sequence[str], arguments: Sequence[Argument]
    ) -> tuple[Argument, ...]:
        """Return the whole command that calls a function of the library."""
        return ("FCALL", f"{LIBRARY}_{function}", len(keys), *keys, *arguments)

    def call(self, function: str, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Call a function and return its reply, loading the library again when the server has lost it."""
        command = self.arguments(function, keys, arguments)
        try:
            return self._connection.command(*command)
        except FunctionMissing:
            self._load()
            return self._connection.command(*command)

    def call_all(self, function: str, calls: Sequence[tuple[Sequence[str], Sequence[Argument]]]) -> list[Any]:
        """Call a function that changes nothing with several keys and arguments at once; the replies in order."""
        commands = [self.arguments(function, keys, arguments) for keys, arguments in calls]
        try:
            return self._connection.commands(commands)
        except FunctionMissing:
            self._load()
            return self._connection.commands(commands)

    def call_acknowledged(
        self, function: str, keys: Sequence[str], arguments: Sequence[Argument], mark: str, milliseconds: int
    ) -> Any:
        """Call a function that appends, and return its reply once a replica has what it wrote.

        `mark` is a key of the same slot that may be set for that.

        Raises:
            StoreUnavailable: no replica acknowledged it in time; what was appended stands.
        """
        command = self.arguments(function, keys, arguments)
        try:
            reply, replicas = self._connection.command_and_wait(command, milliseconds)
        except FunctionMissing:
            self._load()
            reply, replicas = self._connection.command_and_wait(command, milliseconds)
        if reply[0] == b"known":
            # Nothing was written on this connection, so there was nothing to wait for. Replicas follow in
            # order: one that has this write has the append before it as well.
            _, replicas = self._connection.command_and_wait(("SET", mark, 1), milliseconds)
        if reply[0] in {b"appended", b"known"} and replicas == 0:
            message = "The append is written, but no replica has acknowledged it. Send it again, unchanged."
            raise StoreUnavailable(message)
        return reply

    def _loaded_source(self) -> bytes | None:
        """Return the source the server has under our name, or None."""
        found = self._connection.command("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY, "WITHCODE")
        for library in found:
            fields = dict(zip(library[::2], library[1::2], strict=True))
            source: bytes = fields[b"library_code"]
            return source
        return None

    def _load(self) -> None:
        """Load the library; replacing makes it harmless that several processes do so at once."""
        self._connection.command("FUNCTION", "LOAD", "REPLACE", SOURCE)
