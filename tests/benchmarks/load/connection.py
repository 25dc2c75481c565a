"""A keep-alive connection that reads whole answers without waiting for them; at its end another one follows."""

import socket
from typing import Final

from tests.benchmarks.own_service import HOST

END_OF_HEAD: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length: "
CLOSE: Final = b"\r\nconnection: close\r\n"
CHUNK: Final = 65536


class ConnectionLost(OSError):
    """The server closed the connection."""


class Connection:
    """One connection; what is read from it is kept until an answer is whole."""

    def __init__(self, port: int) -> None:
        """Connect."""
        self._port = port
        self.socket = self._connected()
        self._kept = bytearray()
        self.is_over = False
        """Whether the server has said that it answers nothing more here."""
        self.body = b""
        """The last answer's."""

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
        self.body = bytes(self._kept[end + len(END_OF_HEAD) :])
        self._kept.clear()
        self.is_over = CLOSE in head + END_OF_HEAD
        return int(head[9:12])

    def connect_anew(self) -> None:
        """Go on with a new connection."""
        self.socket.close()
        self.socket = self._connected()
        self.is_over = False

    def close(self) -> None:
        """Close it."""
        self.socket.close()

    def _connected(self) -> socket.socket:
        connected = socket.create_connection((HOST, self._port), timeout=30)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connected
