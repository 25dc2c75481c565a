"""What clients that ask for nothing, or never to the end, cost those who play."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.open_files import allow_files
from tests.benchmarks.own_service import HOST, ServiceFailed, own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Playing, Size
from tests.benchmarks.quiet import await_quiet
from tests.benchmarks.rows.http_commands import HOW_CHOSEN

HALF_A_HEAD: Final = b"GET /v1/systems HTTP/1.1\r\nHost: localhost\r\nX-Half"
HALF_A_BODY: Final = (
    b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 1000\r\n\r\n{"system": '
)
OTHER_FILES: Final = 100
"""What this process has open besides these connections."""
LOOK_SECONDS: Final = 0.5
CONNECT_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Standstill:
    """How many connections there are on which nothing goes on."""

    silent: int = 2_000
    heads: int = 150
    bodies: int = 150
    rate: float = 100.0
    """Commands per second of those who play."""


@dataclass(frozen=True)
class SlowClients:
    """The row."""

    standstill: Standstill = Standstill()
    size: Size = field(default_factory=Size)
    name: str = "slow-clients"
    about: str = "p99 of commands beside 2,000 silent connections and 300 on which a request is half there"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; each round opens all connections anew, after a run without them."""
        standstill = self.standstill
        alone, among, kept, again = [], [], [], []
        with own_service() as service:
            playing = Playing(service, self.size)
            for _ in range(rounds):
                await_quiet((service.process,))
                alone.append(playing.at_rate(standstill.rate).milliseconds(0.99))
                with SlowConnections(service.port, standstill) as slow:
                    among.append(playing.at_rate(standstill.rate).milliseconds(0.99))
                    kept.append(slow.least)
                again.append(slow.again)
        what = f"p99 of one command at {standstill.rate:.0f} commands/s"
        partial = standstill.heads + standstill.bodies
        beside = f"beside {standstill.silent:,} silent connections and {partial} requests that are half there"
        yield Comparison(
            name=self.name,
            ours=Figure(what=f"{what}, {beside}", unit="ms", values=tuple(among)),
            beside=Figure(what=f"{what}, without them", unit="ms", values=tuple(alone)),
            goal=Goal(at_most=2.0),
            command=f"python -m tests.benchmarks --only {self.name}",
            notes=(
                "half of the requests are heads and half bodies; one that the service closes is opened again at once",
                f"open at every look, twice a second: at least {', '.join(f'{each:,}' for each in kept)}",
                f"opened again: {', '.join(f'{each:,}' for each in again)}",
                HOW_CHOSEN,
            ),
        )


class SlowConnections:
    """Connections on which nothing goes on, from when this is entered; closed when it is left."""

    def __init__(self, port: int, standstill: Standstill) -> None:
        """None is open yet."""
        self._port = port
        self._begun = (
            *([b""] * standstill.silent),
            *([HALF_A_HEAD] * standstill.heads),
            *([HALF_A_BODY] * standstill.bodies),
        )
        self._open: list[socket.socket] = []
        self._left = Event()
        self._keeper = Thread(target=self._keep, daemon=True)
        self.least = 0
        """So many were open at every look."""
        self.again = 0
        """So many the service had closed, and they were opened again."""

    def __enter__(self) -> Self:
        """Open all of them, and see that they stay.

        Raises:
            ServiceFailed: the service takes no more.
        """
        allow_files(len(self._begun) + OTHER_FILES)
        try:
            for begun in self._begun:
                self._open.append(self._opened(begun))
        except OSError as error:
            self._close()
            raise ServiceFailed(f"Only {len(self._open):,} connections were taken: {error}") from None
        self.least = len(self._open)
        self._keeper.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all of them."""
        self._left.set()
        self._keeper.join()
        self._close()

    def _keep(self) -> None:
        while not self._left.wait(LOOK_SECONDS):
            ended = [place for place, each in enumerate(self._open) if _is_ended(each)]
            self.least = min(self.least, len(self._open) - len(ended))
            for place in ended:
                if self._left.is_set():
                    return
                self._open[place].close()
                with suppress(OSError):
                    self._open[place] = self._opened(self._begun[place])
                    self.again += 1

    def _opened(self, begun: bytes) -> socket.socket:
        connection = socket.create_connection((HOST, self._port), timeout=CONNECT_SECONDS)
        if begun:
            connection.sendall(begun)
        connection.settimeout(0)
        return connection

    def _close(self) -> None:
        for each in self._open:
            each.close()


def _is_ended(connection: socket.socket) -> bool:
    try:
        return not connection.recv(65536)
    except BlockingIOError:
        return False
    except OSError:
        return True
