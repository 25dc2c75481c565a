"""Flask behind uvicorn: a thread for each request that is being worked on, and none for whoever waits to be sent to.

A request comes here once it is there whole (`service.server.web_connection`), and is put to an application of WSGI
(PEP 3333). What has a length is sent at once; a stream is sent from its outbox (`service.http.push.stream_sending`).
One that waits for news is left by its thread, and put to the application again when there are some.
"""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from service.http.context.counting import network_of
from service.http.follow.detaching import IS_GONE, OFFER, Offer
from service.http.follow.waiting import SUSPENDS, WAITING, RequestSuspended, Waiting
from service.http.messages.begun import BEGUN, Begun
from service.http.middleware.proxies import client_address
from service.http.middleware.store_waiting import ARRIVED
from service.http.push.outbox import Outbox
from service.http.push.stream_sending import OpenStreams
from service.http.short_way.hot_request import HotRequest, recognize
from service.http.short_way.looking import Patience
from service.http.short_way.short_way import ShortAnswer, ShortWay
from service.server.arrival import Arrival
from service.server.bulkhead.bulkhead import Bulkhead
from service.server.bulkhead.forwarding import AnswerLost, Forwarding
from service.server.bulkhead.long_requests import takes_long
from service.server.fair_queue import (
    MAX_LIVENESS_PROBES,
    MAX_PROBES,
    MAX_READS,
    MAX_READS_OF_ONE,
    MAX_WRITES_OF_ONE,
    FairQueue,
    QueuedRequest,
)
from service.server.refusals import BROKEN, TOO_MANY_WAITING, Refusal, endings, problem_bytes

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
PART_OF_PIECES: Final = 4
"""One in so many threads, at most, makes the next piece of an answer that has begun."""
CONNECT_AGAIN_SECONDS: Final = 0.05
"""Interval between attempts to hand a request over while as many wait for the process behind as the way holds."""
GIVES_WAY: Final = 3
"""By so much the priority of these threads is below that of the event loops and the store (`nice`)."""
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LIVENESS: Final = b"/healthz"
PROBED: Final = frozenset({b"/readyz", b"/metrics"})
"""Health checks, as their callers write them; another way to write one is a read like others."""
_log = logging.getLogger("fieldbook.web")


class _Answer(NamedTuple):
    """What the application has answered; `parts` or an outbox have what is left to be sent."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    parts: Iterator[bytes] | None = None
    outbox: Outbox | None = None
    close: Callable[[], object] = lambda: None

    def head(self) -> bytes:
        """Status line and headers."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.headers)
        return STATUS_LINE[self.status] + lines.encode("latin-1")


class WsgiBridge:
    """The application, for connections."""

    def __init__(
        self,
        application: Application,
        threads: int,
        open_short_way: Callable[[Executor], ShortWay] | None = None,
        bulkhead: Bulkhead | None = None,
        trusted_proxies: int = 0,
    ) -> None:
        """Work on so many requests at once; further ones wait for their turn. What may goes the short way.

        What takes long is answered behind the bulkhead, where there is one and it is open. So many proxies are
        trusted to name a client's address.
        """
        self._application = application
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request", initializer=_give_way)
        self._short_way = None if open_short_way is None else open_short_way(self._threads)
        self._bulkhead = bulkhead
        self._probing = ThreadPoolExecutor(
            MAX_PROBES + MAX_LIVENESS_PROBES, thread_name_prefix="probe", initializer=_give_way
        )
        self._loop = asyncio.get_running_loop()
        call = partial(_call, self._loop)
        self._reads = FairQueue(self._threads, call, min(MAX_READS, threads), min(MAX_READS_OF_ONE, threads))
        self._writes = FairQueue(self._threads, call, threads, min(MAX_WRITES_OF_ONE, threads))
        self._probes = FairQueue(self._probing, call, MAX_PROBES, 1)
        self._liveness = FairQueue(self._probing, call, MAX_LIVENESS_PROBES, 1)
        self._trusted_proxies = trusted_proxies
        self._pieces = asyncio.Semaphore(max(1, threads // PART_OF_PIECES))
        self._working = 0
        self._sending: set[asyncio.Task[None]] = set()
        self.streams = OpenStreams(self._loop, self._close_later)
        self._waits: dict[asyncio.Event, asyncio.Task[None]] = {}
        """What wakes each request that may wait for news."""
        self._is_ending = self._is_closed = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not (self._working or self._sending or self.streams.under_way)

    def end_waits(self) -> None:
        """Let nothing wait for news any more: what waits is answered as it stands."""
        self._is_ending = True
        for wake in self._waits:
            wake.set()

    def cancel(self) -> None:
        """Send nothing more of what comes in parts, and wait for nothing any more."""
        for task in (*self._sending, *self._waits.values()):
            task.cancel()
        self.streams.end()

    def close(self) -> None:
        """Begin with nothing more, and send nothing of what threads still bring."""
        self._is_closed = True
        if self._short_way is not None:
            self._short_way.close()
        for queue in (self._reads, self._writes, self._probes, self._liveness):
            queue.close()
        for threads in (self._threads, self._probing):
            threads.shutdown(wait=False, cancel_futures=True)

    def begin(self, arrived: Arrival) -> None:
        """Answer a request; called by the event loop."""
        self._working += 1
        if self._bulkhead is not None and self._bulkhead.is_open and takes_long(arrived.scope):
            self._follow(self._bring(arrived, self._bulkhead))
            return
        way = self._short_way
        hot = None if way is None else recognize(arrived.scope, self._trusted_proxies)
        if way is None or hot is None or arrived.body.is_cut_off:
            self._submit(arrived)
        else:
            wake = asyncio.Event()
            self._attend(wake, self._go_short_way(way, hot, arrived, wake))

    async def _bring(self, arrived: Arrival, bulkhead: Bulkhead) -> None:
        """Bring the client what the process behind the bulkhead answers; answer here if that process is down."""
        connection = await _connect_behind(bulkhead, arrived)
        if connection is None:
            self._submit(arrived)
            return
        self._working -= 1
        forwarding = Forwarding(arrived, connection)
        try:
            found = await forwarding.ask()
            arrived.body.close()
            await _send_in_parts(arrived, found.status, found.headers, found.parts())
        except AnswerLost:
            _break_off(arrived)
        except Exception:  # noqa: BLE001 - what was begun cannot be taken back
            _log.exception("an answer from behind the bulkhead is broken off")
            arrived.connection.close()
        finally:
            arrived.body.close()
            forwarding.close()

    def _attend(self, wake: asyncio.Event, waiting: Coroutine[Any, Any, None]) -> None:
        """Have something run that may wait for news; it is woken where nobody waits for it any more."""
        task = self._waits[wake] = self._loop.create_task(waiting)
        task.add_done_callback(lambda _done: self._waits.pop(wake))

    async def _go_short_way(
        self, way: ShortWay, hot: HotRequest, arrived: Arrival, wake: asyncio.Event
    ) -> None:
        """Answer at once or when there are news, or have the application answer after all."""
        connection = arrived.connection
        connection.leaves = wake.set
        patience = Patience(wake, lambda: self._is_ending or connection.has_left)
        found = await way.answer(hot, arrived.body.open().read(), patience)
        connection.leaves = None
        if isinstance(found, ShortAnswer):
            arrived.body.close()
            answer = _Answer(200, found.headers, found.body)
            self._finish(arrived, answer, answer.head())
        else:
            self._submit(arrived, found)

    def _submit(self, arrived: Arrival, begun: Begun | None = None, waiting: Waiting | None = None) -> None:
        """Have a thread answer a request when its turn comes: health checks and writes wait for no reads."""
        scope = arrived.scope
        is_read = scope["method"] in READS
        queue = self._reads if is_read else self._writes
        if scope["raw_path"] in PROBED:
            queue = self._probes
        elif scope["raw_path"] == LIVENESS:
            queue = self._liveness
        # A request that has begun may hold places, and a command may have been appended: those must be finished.
        is_fresh = waiting is None and (begun is None or (is_read and not begun.places))
        request = QueuedRequest(
            work=partial(self._work, arrived, begun, waiting),
            is_lost=lambda: is_read and is_fresh and arrived.cycle.disconnected,
            drop=partial(self._drop, arrived),
            is_refusable=is_fresh,
        )
        if not queue.submit(network_of(_address(scope, self._trusted_proxies)), request):
            endings.count(TOO_MANY_WAITING.code)
            self._drop(arrived)
            _break_off(arrived, TOO_MANY_WAITING)

    def _drop(self, arrived: Arrival) -> None:
        """Forget a request that no thread works on."""
        self._working -= 1
        arrived.body.close()

    def _work(self, arrived: Arrival, begun: Begun | None = None, waiting: Waiting | None = None) -> None:
        """Have the application answer, in a thread."""
        answer = None
        try:
            answer = self._ask(arrived, begun, waiting)
        except RequestSuspended as suspended:
            _call(self._loop, self._suspend, arrived, suspended.waiting)
            return
        except Exception:  # noqa: BLE001 - the thread goes on, and the client is told
            _log.exception("a request broke outside the application")
        if waiting is not None:
            waiting.close()
        arrived.body.close()
        head = b"" if answer is None else answer.head()
        _call(self._loop, self._finish, arrived, answer, head)

    def _suspend(self, arrived: Arrival, waiting: Waiting) -> None:
        """Wait for news for a request; called by the event loop."""
        if self._is_closed:
            waiting.close()
            return
        news = asyncio.Event()
        arrived.connection.leaves = news.set
        waiting.watch.heard = lambda: _call(self._loop, news.set)
        if self._is_ending or arrived.connection.has_left or waiting.watch.is_past(waiting.version):
            news.set()
        self._attend(news, self._resume(arrived, waiting, news))

    async def _resume(self, arrived: Arrival, waiting: Waiting, news: asyncio.Event) -> None:
        """Put a request to the application again once there are news, or nobody waits for them any more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(waiting.left):
                await news.wait()
        arrived.connection.leaves = None
        if self._is_ending or arrived.connection.has_left:
            waiting.ends = 0.0
        self._submit(arrived, waiting.begun, waiting)

    def _ask(self, arrived: Arrival, begun: Begun | None, waiting: Waiting | None) -> _Answer:
        """What the application answers; what has a length is collected, and closed.

        Raises:
            RequestSuspended: the request waits for news.
        """
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], _failure: object = None) -> None:
            started.append((status, headers))

        scope = arrived.scope
        environ = _environ(arrived)
        offer = environ[OFFER] = Offer()
        if begun is not None:
            environ[BEGUN] = begun
        if waiting is not None:
            environ[WAITING] = waiting
        parts = self._application(environ, start_response)
        status, headers = started[-1]
        code = int(status[:3])
        close: Callable[[], object] = getattr(parts, "close", lambda: None)
        if offer.outbox is not None:
            return _Answer(code, headers, outbox=offer.outbox, close=close)
        is_whole = scope["method"] == "HEAD" or any(name.lower() == "content-length" for name, _ in headers)
        if not is_whole and scope["http_version"] != "1.0":
            return _Answer(code, headers, parts=iter(parts), close=close)
        try:
            body = b"".join(parts)
        finally:
            close()
        return _Answer(code, headers if is_whole else [*headers, ("Content-Length", str(len(body)))], body)

    def _finish(self, arrived: Arrival, answer: _Answer | None, head: bytes) -> None:
        """Send what was answered; called by the event loop."""
        self._working -= 1
        if self._is_closed:
            # A loop that closes runs what is due once more, when its connections are gone.
            if answer is not None:
                self._close_later(answer.close)
            return
        connection, cycle = arrived.connection, arrived.cycle
        if answer is None:
            _break_off(arrived)
        elif answer.outbox is not None:
            self._begin_stream(arrived, answer, answer.outbox, head)
        elif answer.parts is None and not connection.flow.write_paused:
            connection.answer(cycle, head, answer.body)
        else:
            self._follow(self._send(arrived, answer, head))

    def _follow(self, sending: Coroutine[Any, Any, None]) -> None:
        """Have something be sent that takes its time."""
        task = self._loop.create_task(sending)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    def _begin_stream(self, arrived: Arrival, answer: _Answer, outbox: Outbox, head: bytes) -> None:
        """Send a stream; its connection brings nothing else, and nothing of the request is kept for it.

        HTTP/1.0 knows no chunks: there the end of the connection is that of the answer.
        """
        connection, is_chunked = arrived.connection, arrived.scope["http_version"] != "1.0"
        if connection.has_left:
            connection.close()
            self._close_later(answer.close)
            return
        coding = b"transfer-encoding: chunked\r\n" if is_chunked else b""
        whole = b"".join((head, *connection.added_head(), b"connection: close\r\n", coding, b"\r\n"))
        connection.transport.write(whole)
        is_behind = connection.flow.write_paused
        transport = connection.hand_over()
        self.streams.begin(transport, outbox, answer.close, is_chunked=is_chunked, is_behind=is_behind)

    async def _send(self, arrived: Arrival, answer: _Answer, head: bytes) -> None:
        """Send what comes in parts, or what a client that is behind has to wait for."""
        connection, cycle = arrived.connection, arrived.cycle
        try:
            if answer.parts is None:
                connection.unsent = len(answer.body)
                await connection.flow.drain()
                connection.unsent = 0
                connection.answer(cycle, head, answer.body)
                return
            await _send_in_parts(arrived, answer.status, answer.headers, self._make_parts(answer.parts))
        except Exception:  # noqa: BLE001 - what was begun cannot be taken back
            _log.exception("an answer is broken off")
            connection.close()
        finally:
            self._close_later(answer.close)

    def _close_later(self, close: Callable[[], object]) -> None:
        """Have a thread close an answer; close it at once when the threads have ended with the process."""
        try:
            self._threads.submit(close)
        except RuntimeError:
            try:
                close()
            except Exception as error:  # noqa: BLE001 - nothing is left that could use the answer
                _log.debug("an answer was not closed at the end of the process: %s", error)

    async def _make_parts(self, parts: Iterator[bytes]) -> AsyncIterator[bytes]:
        while (part := await self._make_part(parts)) is not None:
            yield part

    async def _make_part(self, parts: Iterator[bytes]) -> bytes | None:
        # Waited for without a thread: however many downloads there are, requests have theirs.
        async with self._pieces:
            return await self._loop.run_in_executor(self._threads, next, parts, None)


async def _connect_behind(bulkhead: Bulkhead, arrived: Arrival) -> socket.socket | None:
    """Connect to the process behind the bulkhead, once it has room; return None when that process is down."""
    while bulkhead.is_open:
        connection = bulkhead.connect(arrived.scope["client"])
        if connection is not None:
            return connection
        await asyncio.sleep(CONNECT_AGAIN_SECONDS)
    return None


async def _send_in_parts(
    arrived: Arrival, status: int, headers: Sequence[tuple[str, str]], parts: AsyncIterator[bytes]
) -> None:
    """Send an answer whose body comes in parts, as fast as the client takes them, until it has left.

    A client that says that it sends nothing more may have left; an answer whose length is known is brought it whole.
    """
    connection, send = arrived.connection, arrived.cycle.send
    has_end = any(name.lower() == "content-length" for name, _ in headers)
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    async for part in parts:
        await _send_part(part, send)
        if connection.transport.is_closing() if has_end else connection.has_left:
            connection.close()
            return
    await _send_part(b"", send, is_last=True)


async def _send_part(part: bytes, send: Any, *, is_last: bool = False) -> None:
    """Send the next piece of an answer, once the client has taken most of what was sent before."""
    await send({"type": "http.response.body", "body": part, "more_body": not is_last})


def _break_off(arrived: Arrival, refusal: Refusal = BROKEN) -> None:
    """End the connection of a request that will have no answer; send the reason if nothing was sent yet."""
    arrived.cycle.keep_alive = False
    if not arrived.cycle.response_started and not arrived.cycle.disconnected:
        arrived.connection.transport.write(problem_bytes(refusal))
    arrived.connection.close()


def _give_way() -> None:
    """Let this thread come after the event loops: what is asked of them is small, and somebody plays."""
    # On Linux each thread has a priority of its own; elsewhere it would be the whole process's.
    if sys.platform == "linux":
        os.nice(GIVES_WAY)


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    try:
        loop.call_soon_threadsafe(function, *arguments)
    except RuntimeError:
        _log.debug("the process ends, and nothing more is sent")


def _address(scope: dict[str, Any], trusted_proxies: int) -> str:
    """Return the address that a request comes from."""
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    client = scope["client"]
    return client_address(client[0] if client else "", forwarded.decode("latin-1"), trusted_proxies)


def _environ(arrived: Arrival) -> dict[str, Any]:
    """The request as PEP 3333 has it."""
    scope = arrived.scope
    server, client = scope["server"] or ("", 0), scope["client"] or ("", 0)
    path: bytes = scope["raw_path"]
    environ = {
        ARRIVED: arrived.at,
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
        "RAW_URI": path.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": arrived.body.open(),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        IS_GONE: lambda: arrived.connection.has_left,
        SUSPENDS: True,
    }
    for name, value in scope["headers"]:
        # One with an underscore would be taken for another header, one that a proxy sets.
        if b"_" in name:
            continue
        key, text = name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1").strip(" \t")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ
