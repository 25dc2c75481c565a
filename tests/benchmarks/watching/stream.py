"""One spectator's stream: its frames are read for their versions and times, and nothing else."""

import re
import socket
import time
from typing import Final

from tests.benchmarks.own_service import HOST

FRAME: Final = re.compile(rb"^id: (\d+)-", re.MULTILINE)
AT: Final = re.compile(rb'"at":(\d+)')
END: Final = b"\n\n"
CHUNK: Final = 262144
ADDRESSES: Final = 200


class StreamRefused(OSError):
    """The service has no place for a stream."""


class Stream:
    """A stream that begins at the game's version of now."""

    def __init__(self, port: int, game: str, number: int) -> None:
        """Ask for it. Each spectator has an address of its own, as on the internet (127.0.0.0/8 is all ours)."""
        # Where only 127.0.0.1 exists, as on macOS, the service takes all of them for one caller.
        source = f"127.0.{1 + number // ADDRESSES}.{1 + number % ADDRESSES}"
        self.game = game
        self.version = 0
        self.begun = 0
        self.lost = 0
        self.milliseconds: list[float] = []
        self._kept = b""
        self.socket = socket.create_connection((HOST, port), timeout=60, source_address=(source, 0))
        self.socket.sendall(
            f"GET /v1/games/{game}/events HTTP/1.1\r\n"
            f"Host: {HOST}:{port}\r\n"
            "Accept: text/event-stream\r\n\r\n".encode()
        )
        self._read_head()

    def fileno(self) -> int:
        """For selectors."""
        return self.socket.fileno()

    def _read_head(self) -> None:
        while b"\r\n\r\n" not in self._kept:
            read = self.socket.recv(CHUNK)
            if not read:
                raise StreamRefused("The service closed the connection.")
            self._kept += read
        if not self._kept.startswith(b"HTTP/1.1 200"):
            self.socket.close()
            raise StreamRefused(self._kept.partition(b"\r\n")[0].decode(errors="replace"))
        self._kept = self._kept.partition(b"\r\n\r\n")[2]

    def read(self, *, counts: bool) -> bool:
        """Read what is there; False when the stream has ended. Its events' times are kept where it `counts`."""
        read = self.socket.recv(CHUNK)
        arrived = 1000 * time.time()
        self._kept += read
        *frames, self._kept = self._kept.split(END)
        for frame in frames:
            found = FRAME.search(frame)
            if found is None:
                continue
            version = int(found[1])
            if not self.version:
                self.begun = version
            elif version != self.version + 1:
                self.lost += 1
            elif counts and (at := AT.search(frame)):
                self.milliseconds.append(arrived - int(at[1]))
            self.version = version
        return bool(read)

    def close(self) -> None:
        """Close it."""
        self.socket.close()
