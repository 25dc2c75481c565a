"""Spectators: processes with many streams of server-sent events (`python -m tests.benchmarks.watching`).

Such a process reads a plan from its first line, opens its streams, says `ready`, and watches until its second line
has the last version of each game. Without its streams it says why.
"""

import re
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

import msgspec

from tests.benchmarks.own_service import HOST, await_all_ready, heard, plain_environment, talking, tell
from tests.benchmarks.processor import allow_files

PROCESSES: Final = 2
PATIENCE_SECONDS: Final = 20.0
"""The time for which a refused stream is tried again."""
PAUSE_SECONDS: Final = 0.05
"""Between two attempts: fewer than an address may make in a minute (docs/operating.md)."""
OTHER_FILES: Final = 100
"""Files that a process has open besides its streams."""
LAST_SECONDS: Final = 10.0
"""The time for which a process waits for the last versions once it knows them."""
ADDRESSES: Final = 200
CHUNK: Final = 262144
_VERSION: Final = re.compile(rb"^id: (\d+)-", re.MULTILINE)
_AT: Final = re.compile(rb'"at":(\d+)')


class WatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The games that one process follows, each by a stream, and the number of its first spectator."""

    port: int
    games: tuple[str, ...]
    first: int


class WatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """The results of spectators."""

    milliseconds: tuple[float, ...]
    """Of each event of each stream, from its command's arrival at the service to its arrival here."""
    lost: int
    """Versions that a stream did not bring, brought twice, or out of order."""
    behind: int
    """Streams without the game's last version at the end."""


class StreamRefused(OSError):
    """The service has no place for a stream."""


class Stream:
    """A stream that begins at the game's present version; of its frames only versions and times are read."""

    def __init__(self, port: int, game: str, number: int) -> None:
        """Open it. Each spectator has a different address, as on the internet (127.0.0.0/8 is loopback).

        Raises:
            StreamRefused: the service has no place for it.
        """
        # Where only 127.0.0.1 exists, as on macOS, the service takes all of them for one caller.
        source = f"127.0.{1 + number // ADDRESSES}.{1 + number % ADDRESSES}"
        self.game, self.version, self.lost = game, 0, 0
        self.milliseconds: list[float] = []
        self._buffer = b""
        self._socket = socket.create_connection((HOST, port), timeout=60, source_address=(source, 0))
        self._socket.sendall(
            f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: {HOST}:{port}\r\n"
            "Accept: text/event-stream\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._buffer:
            read = self._socket.recv(CHUNK)
            if not read:
                raise StreamRefused("The service closed the connection.")
            self._buffer += read
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            self._socket.close()
            raise StreamRefused(head.partition(b"\r\n")[0].decode(errors="replace"))

    def fileno(self) -> int:
        """Return the file for selectors."""
        return self._socket.fileno()

    def read(self) -> bool:
        """Read what is there; return False when the stream has ended."""
        read = self._socket.recv(CHUNK)
        arrived = 1000 * time.time()
        *frames, self._buffer = (self._buffer + read).split(b"\n\n")
        for frame in frames:
            found = _VERSION.search(frame)
            if found is None:
                continue
            version, before = int(found[1]), self.version
            self.version = version
            if before and version != before + 1:
                self.lost += 1
            elif before and (at := _AT.search(frame)):
                self.milliseconds.append(arrived - int(at[1]))
        return bool(read)


class Audience:
    """Running processes of spectators."""

    def __init__(self, running: "Sequence[subprocess.Popen[bytes]]") -> None:
        """Know the processes, whose streams are open."""
        self._running = running

    def read_report(self, last: Mapping[str, int]) -> WatchReport:
        """Return what they have seen once each has these last versions of the games, or some time is over."""
        for process in self._running:
            tell(process, msgspec.json.encode(last))
        found = [msgspec.json.decode(heard(process), type=WatchReport) for process in self._running]
        return WatchReport(
            milliseconds=tuple(each for seen in found for each in seen.milliseconds),
            lost=sum(seen.lost for seen in found),
            behind=sum(seen.behind for seen in found),
        )


@contextmanager
def audience(port: int, games: Sequence[str], spectators: int) -> Iterator[Audience]:
    """Have spectators follow these games, by turns; their streams are closed when the block is left.

    Raises:
        ServiceFailed: there is no place for their streams.
    """
    following = [games[place % len(games)] for place in range(spectators)]
    with ExitStack() as stack:
        running, first = [], 0
        for place in range(min(PROCESSES, spectators)):
            share = tuple(following[place::PROCESSES])
            command = [sys.executable, "-m", "tests.benchmarks.watching"]
            running.append(stack.enter_context(talking(command, plain_environment())))
            tell(running[-1], msgspec.json.encode(WatchPlan(port=port, games=share, first=first)))
            first += len(share)
        await_all_ready(running)
        yield Audience(running)


def main() -> None:
    """Watch, and print what was seen."""
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=WatchPlan)
    allow_files(len(plan.games) + OTHER_FILES)
    try:
        streams = [_opened(plan, place) for place in range(len(plan.games))]
    except StreamRefused as error:
        sys.stdout.write(f"{error}\n")
        return
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(_watched(streams)) + b"\n")
    sys.stdout.flush()


def _opened(plan: WatchPlan, place: int) -> Stream:
    """Open a stream, trying again where the service has no place for it.

    Raises:
        StreamRefused: there is none for a while.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return Stream(plan.port, plan.games[place], plan.first + place)
        except StreamRefused as error:
            if time.monotonic() >= until:
                raise StreamRefused(f"stream {place + 1} of {len(plan.games)}: {error}") from error
            time.sleep(PAUSE_SECONDS)


def _watched(streams: list[Stream]) -> WatchReport:
    """Read all streams until standard input has the games' last versions, and these have come."""
    selector = selectors.DefaultSelector()
    for stream in streams:
        selector.register(stream, selectors.EVENT_READ, stream)
    selector.register(sys.stdin.buffer, selectors.EVENT_READ, None)
    last: dict[str, int] | None = None
    until, open_streams = float("inf"), len(streams)
    while time.monotonic() < until and open_streams:
        for key, _ in selector.select(0.2):
            if key.data is None:
                selector.unregister(sys.stdin.buffer)
                last = msgspec.json.decode(sys.stdin.buffer.readline(), type=dict[str, int])
                until = time.monotonic() + LAST_SECONDS
            elif not key.data.read():
                selector.unregister(key.data)
                open_streams -= 1
        if last is not None and all(stream.version >= last[stream.game] for stream in streams):
            break
    known = last or {}
    return WatchReport(
        milliseconds=tuple(round(each, 1) for stream in streams for each in stream.milliseconds),
        lost=sum(stream.lost for stream in streams),
        behind=sum(stream.version < known.get(stream.game, 0) for stream in streams),
    )


if __name__ == "__main__":
    main()
