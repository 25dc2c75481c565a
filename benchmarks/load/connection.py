"""A keep-alive connection that reads whole answers without waiting for them."""

import socket
from typing import Final

from benchmarks.own_service import HOST

END_OF_HEAD: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length: "
CHUNK: Final = 65536


class ConnectionLost(OSError):
    """The server closed the connection."""


class Connection:
    """One connection; what is read from it is kept until an answer is whole."""

    def __init__(self, port: int) -> None:
        """Connect."""
        self.socket = socket.create_connection((HOST, port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._kept = bytearray()

    def fileno(self) -> int:
        """For selectors."""
        return self.socket.fileno()

    def send(self, request: bytes) -> None:
        """Send a request: it fits into the buffer of an idle connection."""
        self.socket.sendall(request)

    def answer(self) -> int | None:
        """Read what is there: the status of the answer once it is whole, None before.

        Raises:
            ConnectionLost: the server closed it.
        """
        read = self.socket.recv(CHUNK)
        if not read:
            raise ConnectionLost("The server closed a connection of the load.")
        self._kept += read
        end = self._kept.find(END_OF_HEAD)
        if end < 0:
            return None
        head = bytes(self._kept[:end]).lower()
        begins = head.index(LENGTH) + len(LENGTH)
        length = int(head[begins:].partition(b"\r\n")[0])
        if len(self._kept) < end + len(END_OF_HEAD) + length:
            return None
        self._kept.clear()
        return int(head[9:12])

    def close(self) -> None:
        """Close it."""
        self.socket.close()
