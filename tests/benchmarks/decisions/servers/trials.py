"""What is tried with a server: how fast it is, what streams cost it, how it ends, and what bad clients do to it."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.benchmarks.decisions.servers.running import Server
from tests.benchmarks.endurance.footprint import footprints
from tests.benchmarks.measuring import percentile
from tests.benchmarks.open_files import allow_files

STREAMS: Final = 1_000
CALLERS: Final = 4
SILENT, HALF = 2_000, 150
CONNECTIONS: Final = 16
SECONDS: Final = 5.0
BEGIN_SECONDS: Final = 20.0
"""How long it is waited until all streams have begun."""
ANSWER_SECONDS: Final = 10.0
"""How long an answer is waited for; whoever has none by then asks no more."""
LONGEST_SECONDS: Final = 40.0
"""How long an end, or the closing of what is half there, is waited for."""
MALFORMED: Final = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "a head of 1 MB": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "length and chunks": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk without a size": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
}
"""Requests that are none, or of two minds about where they end (RFC 9112, section 6.3)."""


def answer_fast(server: Server) -> tuple[float, float]:
    """Requests a second over some connections, each waiting for its answer, and their 99th percentile in ms.

    Without an answer a request counts as answered after `ANSWER_SECONDS`.
    """
    taken = asyncio.run(_ask_for(server, SECONDS))
    return len(taken) / SECONDS, 1000 * percentile(taken, 99)


async def _ask_for(server: Server, seconds: float) -> list[float]:
    request = f"GET {server.plain} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    until = time.perf_counter() + seconds

    async def ask() -> list[float]:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        moments = [time.perf_counter()]
        with suppress(TimeoutError):
            while moments[-1] < until:
                async with asyncio.timeout(ANSWER_SECONDS):
                    writer.write(request)
                    head = (await reader.readuntil(b"\r\n\r\n")).lower()
                    length = head.partition(b"content-length:")[2].partition(b"\r")[0]
                    await reader.readexactly(int(length))
                if b"connection: close" in head:
                    writer.close()
                    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                moments.append(time.perf_counter())
        if moments[-1] < until:
            moments.append(moments[-1] + ANSWER_SECONDS)
        writer.close()
        return [after - before for before, after in pairwise(moments)]

    return [each for asked in await asyncio.gather(*(ask() for _ in range(CONNECTIONS))) for each in asked]


def hold_streams(server: Server) -> tuple[int, float, float]:
    """How many of many streams begin, KB of memory for each, and seconds from SIGTERM until nothing is left.

    They come from several addresses: one caller may not have so many.
    """
    before = _megabytes(server)
    with _connections(server, [_stream(server)] * STREAMS, callers=CALLERS) as streams:
        begun = _count_begun(streams)
        time.sleep(2)
        grown = _megabytes(server) - before
        began = time.perf_counter()
        left = server.processes()
        os.kill(server.parent, signal.SIGTERM)
        while any(map(_is_running, left)) and time.perf_counter() - began < LONGEST_SECONDS:
            time.sleep(0.02)
        return begun, 1024 * grown / STREAMS, time.perf_counter() - began


def lose_the_parent(server: Server) -> float:
    """Seconds until those that answer have ended, once the process that started them was killed."""
    left = [each for each in server.processes() if each != server.parent]
    began = time.perf_counter()
    os.kill(server.parent, signal.SIGKILL)
    while any(map(_is_running, left)) and time.perf_counter() - began < LONGEST_SECONDS:
        time.sleep(0.02)
    for each in left:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    return time.perf_counter() - began


def bear_slow_clients(server: Server) -> tuple[float, float, int]:
    """The 99th percentile in ms beside nobody, and beside them; how many that are half there stay for 40 seconds."""
    _, alone = answer_fast(server)
    halves = [f"GET {server.plain} HTTP/1.1\r\nHost: localhost\r\nX-Half".encode()] * HALF
    halves += [
        f"POST {server.posted} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        'Content-Length: 1000\r\n\r\n{"system": '.encode()
    ] * HALF
    with _connections(server, [b""] * SILENT), _connections(server, halves) as half:
        began = time.perf_counter()
        _, beside = answer_fast(server)
        time.sleep(max(0.0, LONGEST_SECONDS - (time.perf_counter() - began)))
        return alone, beside, sum(not _is_closed(each) for each in half)


def answer_malformed(server: Server) -> dict[str, str]:
    """The status of each answer; "closed" where there is none, and "waits" where the connection stays open."""
    found = {}
    for name, request in MALFORMED.items():
        with closing(socket.create_connection(("127.0.0.1", server.port), 5)) as connection:
            try:
                connection.sendall(request.replace(b"POST /", f"POST {server.posted}".encode()))
                found[name] = connection.recv(12)[9:].decode(errors="replace") or "closed"
            except TimeoutError:
                found[name] = "waits"
            except OSError:
                found[name] = "closed"
    return found


def _stream(server: Server) -> bytes:
    return f"GET {server.stream} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()


@contextmanager
def _connections(server: Server, begun: list[bytes], callers: int = 1) -> Iterator[list[socket.socket]]:
    allow_files(len(begun) + SILENT + 2 * HALF + 100)
    with ExitStack() as stack:
        made = []
        for place, each in enumerate(begun):
            caller = f"127.0.0.{1 + place % callers}"
            connection = socket.create_connection(("127.0.0.1", server.port), 10, (caller, 0))
            made.append(stack.enter_context(closing(connection)))
            connection.sendall(each)
        yield made


def _count_begun(streams: list[socket.socket]) -> int:
    """How many are answered with 200 in time."""
    left, begun = set(streams), 0
    ends = time.perf_counter() + BEGIN_SECONDS
    while left and time.perf_counter() < ends:
        for each in [*left]:
            try:
                begun += each.recv(12, socket.MSG_DONTWAIT)[9:] == b"200"
            except BlockingIOError:
                continue
            except ConnectionError:
                pass  # it is none that begins
            left.remove(each)
        time.sleep(0.05)
    return begun


def _is_closed(connection: socket.socket) -> bool:
    connection.settimeout(0)
    try:
        while connection.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _megabytes(server: Server) -> float:
    return footprints([("server", each) for each in server.processes()])["server"].megabytes
