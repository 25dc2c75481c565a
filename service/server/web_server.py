"""An event loop that serves an application of WSGI: uvicorn reads and writes, the application answers in threads."""

import asyncio
import errno
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from email.utils import formatdate
from functools import partial
from typing import Final

from uvicorn.config import Config
from uvicorn.server import ServerState

from service.http.context.counting import network_of
from service.http.context.places import Places
from service.http.push import stream_limits
from service.http.push.stream_sending import OpenStreams, StreamConnection
from service.http.short_way.short_way import ShortWay
from service.server.bulkhead.bulkhead import Address, Bulkhead
from service.server.outgoing_answers import end_largest
from service.server.refusals import endings
from service.server.web_connection import IDLE_SECONDS, MOST_REQUESTS, BoundedConnection
from service.server.wsgi_bridge import Application, WsgiBridge

TICK_SECONDS: Final = 1.0
"""How often it says that it lives, and the date is written anew."""
LOOKED_AT_ONCE: Final = 100
"""Connections that are looked at in one go; a request that has come meanwhile does not wait for all of them."""
LOOK_AGAIN_SECONDS: Final = 0.02
"""How often it is looked whether everything has ended."""
LAST_SECONDS: Final = 0.5
"""How long requests have to end that were ended."""
ACCEPT_AGAIN_SECONDS: Final = 0.1
"""How long nothing is accepted where that has failed, as without a free file."""
SETTLING_SECONDS: Final = 5.0
FIRST_REQUESTS: Final = 12
"""Requests at most on a connection of the first seconds: after a restart all clients come to whichever process is
ready first, and so they soon come again, when the others are ready, too."""
Accept = Callable[[], Awaitable[tuple[socket.socket, Address]]]
"""Waits for the next client: its connection, and its address."""
_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_log = logging.getLogger("fieldbook.web")


class WebServer:
    """Serves on some sockets, with bounds on what it works on and on what it holds open."""

    def __init__(
        self,
        application: Application,
        *,
        threads: int,
        connections: int,
        open_short_way: Callable[[Executor], ShortWay] | None = None,
        trusted_proxies: int = 0,
        bulkhead: Bulkhead | None = None,
    ) -> None:
        """Work on so many requests at once, and hold so many connections besides streams.

        Behind proxies all connections come from their few addresses, and no address has a share of anything. What
        takes long is left to the process behind the bulkhead, where there is one.
        """
        # It would write a line of its own for each request.
        logging.getLogger("uvicorn.access").propagate = False
        self._application = application
        self._threads = threads
        self._open_short_way = open_short_way
        self._most, self._of_one = connections, connections * 3 // 4
        self._trusted_proxies = trusted_proxies
        self._bulkhead = bulkhead
        self._peers = Places()
        self._state = ServerState()
        self._room = asyncio.Event()
        self._began = 0.0

    async def serve(
        self,
        accepts: Sequence[Accept],
        stopping: asyncio.Event,
        *,
        beat: Callable[[], object],
        end_streams: Callable[[], object],
        stop_seconds: float,
    ) -> None:
        """Serve whom these accept until told to stop; then end streams at once.

        Requests under way have some seconds to end.
        """
        bridge = WsgiBridge(
            self._application, self._threads, self._open_short_way, self._bulkhead, self._trusted_proxies
        )
        config = Config(
            bridge,  # type: ignore[arg-type] # what answers our connections
            interface="asgi3",
            ws="none",
            lifespan="off",
            # Whom a proxy may speak for is asked in the application (`service.http.middleware.proxies`).
            proxy_headers=False,
            log_config=None,
            timeout_keep_alive=IDLE_SECONDS,
        )
        config.load()
        connect = partial(BoundedConnection, config, self._state, {}, freed=self._free)
        loop = asyncio.get_running_loop()
        self._began = loop.time()
        accepting = [loop.create_task(self._accept(each, connect)) for each in accepts]
        while not stopping.is_set():
            beat()
            self._state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
            self._make_room()
            await self._look(bridge.streams)
            try:
                async with asyncio.timeout(min(TICK_SECONDS, stream_limits.pause())):
                    await stopping.wait()
            except TimeoutError:
                continue
        for task in accepting:
            task.cancel()
        await asyncio.wait(accepting)
        end_streams()
        bridge.end_waits()
        for connection in [*self._state.connections]:
            connection.shutdown()
        await _wait(bridge, stop_seconds)
        for each in [*self._state.connections]:
            if isinstance(each, BoundedConnection):
                each.abort()
        for stream in [*bridge.streams.connections]:
            stream.transport.abort()
        bridge.cancel()
        await _wait(bridge, LAST_SECONDS)
        bridge.close()
        endings.report()

    async def _look(self, streams: OpenStreams) -> None:
        """Look at all connections, few at a time."""
        held = [*self._state.connections, *streams.connections]
        while held:
            now = asyncio.get_running_loop().time()
            for each in held[-LOOKED_AT_ONCE:]:
                if isinstance(each, BoundedConnection):
                    each.look(now)
                elif isinstance(each, StreamConnection) and each.takes_nothing(now):
                    endings.count("client_takes_nothing")
                    each.transport.abort()
            del held[-LOOKED_AT_ONCE:]
            await asyncio.sleep(0)
        end_largest(each for each in self._state.connections if isinstance(each, BoundedConnection))
        endings.report()

    async def _accept(self, accept: Accept, connect: Callable[..., BoundedConnection]) -> None:
        """Accept connections as long as there is room for them."""
        while True:
            await self._room.wait()
            try:
                client, address = await accept()
            except OSError as error:
                _log.debug("a connection was not accepted: %s", error)
                if error.errno in _SHORTAGES:
                    await asyncio.sleep(ACCEPT_AGAIN_SECONDS)
                continue
            admitting = asyncio.ensure_future(self._admit(client, address, connect))
            try:
                await asyncio.shield(admitting)
            except asyncio.CancelledError:
                # uvloop would close the transport without a word to a connection that has begun.
                await admitting
                raise
            if self._is_full():
                self._room.clear()

    async def _admit(
        self, client: socket.socket, address: Address, connect: Callable[..., BoundedConnection]
    ) -> None:
        """Serve a client, unless its address has as many connections as one may have."""
        network = "" if self._trusted_proxies else network_of(address[0])
        if self._peers.take(self._shares(network)) is not None:
            endings.count("too_many_from_one_address")
            client.close()
            # Accepting alone need not wait for anything, and others have their turn in between.
            await asyncio.sleep(0)
            return
        requests = MOST_REQUESTS if self._is_settled() else FIRST_REQUESTS
        connection = connect(network=network, address=address, requests=requests)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, client)
        except OSError as error:
            _log.debug("a connection was lost at once: %s", error)
            connection.free()

    def _is_settled(self) -> bool:
        return asyncio.get_running_loop().time() - self._began > SETTLING_SECONDS

    def _is_full(self) -> bool:
        # Streams have places of their own.
        return len(self._state.connections) >= self._most

    def _shares(self, network: str) -> dict[str, int]:
        return {network: self._of_one} if network else {}

    def _free(self, connection: BoundedConnection) -> None:
        self._peers.give_back(self._shares(connection.network))
        self._make_room()

    def _make_room(self) -> None:
        if not self._room.is_set() and not self._is_full():
            self._room.set()


def accept_at(listener: socket.socket) -> Accept:
    """What accepts whoever comes to this socket."""
    listener.settimeout(0)

    async def accept() -> tuple[socket.socket, Address]:
        client, address = await asyncio.get_running_loop().sock_accept(listener)
        return client, (address[0], address[1])

    return accept


async def _wait(bridge: WsgiBridge, seconds: float) -> None:
    """Wait for what is under way, so many seconds at most."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + seconds
    while not bridge.is_idle and loop.time() < ends:  # noqa: ASYNC110 - a thread ends, too, and once in a life
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
