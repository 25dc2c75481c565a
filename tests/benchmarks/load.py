"""`python -m tests.benchmarks.load`: a process that sends chosen commands, so that the load is not what is measured.

It reads a plan as JSON from its first line, says `ready`, waits for the second line, and prints what it found. A lane
plays one game after the other, since a game's commands build on one another, and has a connection for each seat.
Where the plan has a rate, commands are due at fixed times and their times count from there, so a slow server cannot
hide behind a lower load (coordinated omission).
"""

import heapq
import selectors
import socket
import sys
import time
from collections.abc import Iterator
from http import HTTPStatus
from itertools import chain, cycle
from typing import Final

import msgspec

from tests.benchmarks.chosen import PLAYERS, ChosenGame, Step
from tests.benchmarks.own_service import HOST

PATIENCE_SECONDS: Final = 30.0
"""An answer that takes longer is not awaited at the end."""
END_OF_HEAD: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length: "
CLOSE: Final = b"\r\nconnection: close\r\n"
CHUNK: Final = 65536


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The commands that one process sends, and their timing."""

    port: int
    lanes: tuple[tuple[ChosenGame, ...], ...]
    """Each lane plays its games one after the other; all lanes play at once."""
    warm_up: float
    """Seconds before commands count."""
    seconds: float
    """Counted seconds."""
    again: bool = False
    """True if a lane repeats its games, for a server without rules."""
    rate: float | None = None
    """Commands per second of this process; None: as fast as they are answered."""


class LoadReport(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one process."""

    counted: int
    """Acknowledged commands while they counted."""
    seconds: float
    """The counted seconds: less than planned where a lane ran out of games."""
    milliseconds: tuple[float, ...]
    """Of each of them, from when it was due to the last byte of its answer."""
    refused: int = 0
    """Answers other than 200."""
    processor_seconds: float
    """Processor time of this process while commands counted."""


class ConnectionLost(OSError):
    """The server closed the connection."""


class Connection:
    """A keep-alive connection that reads whole answers without waiting; a closed one is followed by another one."""

    def __init__(self, port: int) -> None:
        """Connect."""
        self._port = port
        self._buffer = bytearray()
        self.socket = self._connected()
        self.is_over = False
        """True if the server has announced that it closes the connection."""

    def fileno(self) -> int:
        """Return the file for selectors."""
        return self.socket.fileno()

    def answer(self) -> int | None:
        """Read what is there; return the status of the answer once it is whole.

        Raises:
            ConnectionLost: the server closed the connection.
        """
        read = self.socket.recv(CHUNK)
        if not read:
            raise ConnectionLost("The server closed a connection of the load.")
        self._buffer += read
        end = self._buffer.find(END_OF_HEAD)
        if end < 0:
            return None
        head = bytes(self._buffer[:end]).lower()
        begins = head.index(LENGTH) + len(LENGTH)
        length = int(head[begins:].partition(b"\r\n")[0])
        if len(self._buffer) < end + len(END_OF_HEAD) + length:
            return None
        self._buffer.clear()
        self.is_over = CLOSE in head + END_OF_HEAD
        return int(head[9:12])

    def connect_anew(self) -> None:
        """Replace the connection."""
        self.socket.close()
        self.socket = self._connected()
        self.is_over = False

    def _connected(self) -> socket.socket:
        connected = socket.create_connection((HOST, self._port), timeout=30)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connected


class Lane:
    """One game after the other; `due` is when its next command is sent."""

    def __init__(self, plan: Plan, place: int, begun: float) -> None:
        """Connect its players."""
        self.place = place
        self.interval = len(plan.lanes) / plan.rate if plan.rate else 0.0
        self.due = begun + self.interval * place / len(plan.lanes)
        steps = chain.from_iterable(game.steps for game in plan.lanes[place])
        self.steps: Iterator[Step] = cycle(steps) if plan.again else steps
        self.connections = [Connection(plan.port) for _ in range(PLAYERS)]


class Run:
    """One run of all lanes of a plan."""

    def __init__(self, plan: Plan) -> None:
        """Connect all players."""
        begun = time.perf_counter()
        self._counts_from, self._ends = begun + plan.warm_up, begun + plan.warm_up + plan.seconds
        self._took: list[float] = []
        self._refused = self._outstanding = 0
        self._exhausted = False
        self._selector = selectors.DefaultSelector()
        self._lanes = [Lane(plan, place, begun) for place in range(len(plan.lanes))]
        for lane in self._lanes:
            for connection in lane.connections:
                self._watch(lane, connection)
        self._waiting = [(lane.due, lane.place, lane) for lane in self._lanes]
        heapq.heapify(self._waiting)

    def report(self) -> LoadReport:
        """Play until the time is over or a lane runs out of games."""
        used: float | None = None
        while (now := time.perf_counter()) < self._ends and not self._exhausted:
            if used is None and now >= self._counts_from:
                used = time.process_time()
            while self._waiting and self._waiting[0][0] <= now:
                self._send(heapq.heappop(self._waiting)[2])
            next_due = self._waiting[0][0] if self._waiting else self._ends
            self._read(min(max(next_due - time.perf_counter(), 0.0), 0.2))
        processor = 0.0 if used is None else time.process_time() - used
        seconds = max(min(time.perf_counter(), self._ends) - self._counts_from, 0.0)
        # The next round shall begin with an idle server.
        until = time.perf_counter() + PATIENCE_SECONDS
        while self._outstanding and time.perf_counter() < until:
            self._read(0.2)
        for lane in self._lanes:
            for connection in lane.connections:
                connection.socket.close()
        return LoadReport(
            counted=len(self._took),
            seconds=seconds,
            milliseconds=tuple(round(1000 * each, 3) for each in self._took),
            refused=self._refused,
            processor_seconds=processor,
        )

    def _watch(self, lane: Lane, connection: Connection) -> None:
        self._selector.register(connection, selectors.EVENT_READ, (lane, connection))

    def _send(self, lane: Lane) -> None:
        step = next(lane.steps, None)
        if step is None:
            self._exhausted = True
            return
        lane.connections[step.seat].socket.sendall(step.request)
        self._outstanding += 1

    def _read(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            lane, connection = key.data
            status = connection.answer()
            if status is not None:
                self._answered(lane, connection, status)

    def _answered(self, lane: Lane, connection: Connection, status: int) -> None:
        self._outstanding -= 1
        now = time.perf_counter()
        took, lane.due = now - lane.due, lane.due + lane.interval if lane.interval else now
        if status != HTTPStatus.OK:
            self._refused += 1
        elif self._counts_from <= now < self._ends:
            self._took.append(took)
        if connection.is_over:
            self._selector.unregister(connection)
            connection.connect_anew()
            self._watch(lane, connection)
        heapq.heappush(self._waiting, (lane.due, lane.place, lane))


def main() -> None:
    """Read the plan, wait for the start, and print what was found."""
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=Plan)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.buffer.readline()
    sys.stdout.buffer.write(msgspec.json.encode(Run(plan).report()) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
