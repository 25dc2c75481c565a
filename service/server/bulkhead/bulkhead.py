"""The way from the processes that serve clients to the one that does what takes long: connections, handed over.

It is made before the processes are forked, so that all of them have it and nobody else does: no address, no port, and
nothing to be trusted. A process that serves clients makes a pair of sockets for each request and sends one end of it,
with the client's address; the other process serves it like any other connection.
"""

import asyncio
import mmap
import socket
import struct
import time
from contextlib import suppress
from typing import Final

import msgspec

Address = tuple[str, int]
FRESH_SECONDS: Final = 5.0
"""The process behind is taken to work if it said so within this time."""
_LONGEST_ADDRESS: Final = 256
_MOMENT: Final = struct.Struct("d")


class Bulkhead:
    """Both ends of the way, and what the process behind says of itself."""

    def __init__(self) -> None:
        """Make it; to be called before processes are forked.

        Raises:
            OSError: this system has no such sockets.
        """
        # Packets keep their bounds, and as many wait as the buffer holds; of datagrams ten would.
        self._front, self._behind = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._front.settimeout(0)
        self._behind.settimeout(0)
        self._shared = mmap.mmap(-1, _MOMENT.size)

    def beat(self) -> None:
        """Say that the process behind works; to be called by it every second."""
        _MOMENT.pack_into(self._shared, 0, time.monotonic())

    @property
    def is_open(self) -> bool:
        """Whether the process behind works, as far as it has said."""
        (moment,) = _MOMENT.unpack_from(self._shared)
        return bool(moment) and time.monotonic() - moment < FRESH_SECONDS

    def close(self) -> None:
        """Close both ends."""
        self._front.close()
        self._behind.close()
        self._shared.close()

    def connect(self, client: Address | None) -> socket.socket | None:
        """A connection to the process behind, for a client of this address; None where there is no way now."""
        if not self.is_open:
            return None
        mine, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._front, [msgspec.json.encode(client or ("", 0))], [theirs.fileno()])
            except OSError:
                mine.close()
                return None
        return mine

    async def accept(self) -> tuple[socket.socket, Address]:
        """The next connection, and the client's address; for the process behind."""
        while True:
            await _readable(self._behind)
            with suppress(BlockingIOError):
                told, descriptors, _, _ = socket.recv_fds(self._behind, _LONGEST_ADDRESS, 1)
                host, port = msgspec.json.decode(told, type=Address)
                return socket.socket(fileno=descriptors[0]), (host, port)


async def _readable(each: socket.socket) -> None:
    """Wait until there is something to be read."""
    loop = asyncio.get_running_loop()
    there = loop.create_future()

    def wake() -> None:
        if not there.done():
            there.set_result(None)

    loop.add_reader(each.fileno(), wake)
    try:
        await there
    finally:
        loop.remove_reader(each.fileno())
