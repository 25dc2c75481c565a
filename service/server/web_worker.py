"""gunicorn's worker process with an event loop in it.

gunicorn binds the address, starts the processes, and starts another one where one has ended; nothing else of it runs
here.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, Final

import uvloop
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service.http.context.services import EXTENSION, SETTINGS
from service.http.follow.detaching import end_streams
from service.http.short_way.short_way import ShortWay
from service.server.bulkhead.bulkhead import Bulkhead
from service.server.serving_signs import SIGN_SECONDS, ServingSigns
from service.server.web_server import Accept, WebServer, accept_at
from service.startup.web_settings import WebSettings
from service.telemetry.spans import hand_over

GIVES_WAY: Final = 10
"""By so much the priority of the process behind the bulkhead is below that of those that serve clients (`nice`)."""
STOPPING: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
"""Signals that end it."""


class WebWorker(Worker):  # type: ignore[misc] # gunicorn is not typed
    """The worker: one that serves clients, or the one behind the bulkhead, for what takes long."""

    is_behind = False
    """Whether it is the one behind the bulkhead; gunicorn's process says so before it is forked."""
    counts_at: int | None = None
    """Its place among the numbers that all processes share; None if there is none."""
    inherited: SimpleQueue[int] = SimpleQueue()
    """Signals that came to this process while it still had the handler of the one it was forked from."""

    def init_signals(self) -> None:
        """Answer signals from here on, and those that came between the fork and now."""
        super().init_signals()
        while not self.inherited.empty():
            if self.inherited.get() in STOPPING:
                self.alive = False

    def load_wsgi(self) -> None:
        """Make the application."""
        if self.is_behind:
            os.nice(GIVES_WAY)
        self.application = self.wsgi = self.app.wsgi()

    def run(self) -> None:
        """Serve until the end."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._serve())
        hand_over()

    def open_short_way(self) -> Callable[[Executor], ShortWay] | None:
        """What opens the short way of this process, given its threads; None where everything goes the long one."""
        settings: WebSettings = self.application.extensions[SETTINGS]
        return partial(ShortWay, self.application) if settings.short_way else None

    def open_signs(self) -> ServingSigns | None:
        """What says to the store that this process takes requests; None where there is no game that has to know."""
        return ServingSigns(self.application.extensions[EXTENSION].store)

    async def _serve(self) -> None:
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        for number in STOPPING:
            loop.add_signal_handler(number, stopping.set)
        if not self.alive:
            # One came before, to a handler of gunicorn's, and will not come again.
            return
        await (self._serve_behind if self.is_behind else self._serve_clients)(stopping)

    async def _serve_clients(self, stopping: asyncio.Event) -> None:
        signs = self.open_signs()
        signing = None if signs is None else asyncio.create_task(_sign(signs, stopping))
        server = self._open_server(open_short_way=self.open_short_way(), bulkhead=self.app.bulkhead)
        await self._run(server, [accept_at(each.sock) for each in self.sockets], stopping, self.notify)
        if signing is not None:
            await signing

    async def _serve_behind(self, stopping: asyncio.Event) -> None:
        bulkhead: Bulkhead = self.app.bulkhead

        def beat() -> None:
            self.notify()
            bulkhead.beat()

        await self._run(self._open_server(), [bulkhead.accept], stopping, beat)

    def _open_server(self, **options: Any) -> WebServer:
        return WebServer(
            self.application,
            threads=self.cfg.threads,
            connections=self.cfg.worker_connections,
            trusted_proxies=self.application.extensions[SETTINGS].trusted_proxies,
            **options,
        )

    async def _run(
        self,
        server: WebServer,
        accepts: Sequence[Accept],
        stopping: asyncio.Event,
        beat: Callable[[], object],
    ) -> None:
        await server.serve(
            accepts,
            stopping,
            beat=beat,
            end_streams=lambda: end_streams(self.application),
            stop_seconds=self.cfg.graceful_timeout,
        )


async def _sign(signs: ServingSigns, stopping: asyncio.Event) -> None:
    """Say that the loop turns, until the process is told to stop."""
    signs.start()
    while not stopping.is_set():
        signs.turn()
        with suppress(TimeoutError):
            async with asyncio.timeout(SIGN_SECONDS):
                await stopping.wait()
    await asyncio.to_thread(signs.stop)


class QuietLogger(Logger):  # type: ignore[misc]
    """gunicorn's messages in the form of ours."""

    def setup(self, cfg: Any) -> None:  # noqa: ARG002 - the base class's signature
        """Hand everything from warnings on to the process's own log."""
        self.loglevel = logging.WARNING
        self.error_log.setLevel(logging.WARNING)
        self.error_log.propagate = True
