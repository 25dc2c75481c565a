"""The short way in this process: an event loop in a thread, and requests as a server hands them to it."""

import asyncio
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

from flask import Flask

from service.http.messages.begun import Begun
from service.http.short_way.hot_request import recognize
from service.http.short_way.looking import Patience
from service.http.short_way.short_way import ShortAnswer, ShortWay
from tests.support.http_play import Answer

SECONDS: Final = 90.0


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of all applications in this process of tests."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="short-way", daemon=True).start()
    return loop


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(4, thread_name_prefix="short-way")


class ShortWayClient:
    """Sends what may go the short way of an application; begins with the first request that may.

    Attributes:
        answered: how many requests were answered on it.
    """

    def __init__(self, app: Flask) -> None:
        """Prepare for this application."""
        self.answered = 0
        self._app = app
        self._way: ShortWay | None = None

    def call(
        self, method: str, path: str, headers: Mapping[str, str], content: bytes | None
    ) -> Answer | Begun | None:
        """The answer; what was begun, or None, where the long way has to answer."""
        parts, wake = urlsplit(path), asyncio.Event()
        scope = {
            "method": method,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
        }
        if self._way is None:
            self._way = ShortWay(self._app, _threads())
            weakref.finalize(self, _close, self._way)
        hot = recognize(scope, self._way.settings.trusted_proxies)
        if hot is None:
            return None
        patience = Patience(wake, lambda: False)
        answering = asyncio.run_coroutine_threadsafe(self._way.answer(hot, content or b"", patience), _loop())
        found = answering.result(SECONDS)
        if not isinstance(found, ShortAnswer):
            return found
        self.answered += 1
        return Answer(200, {name.lower(): value for name, value in found.headers}, found.body)

    def close(self) -> None:
        """Ask the store nothing more."""
        if self._way is not None:
            _close(self._way)


def _close(way: ShortWay) -> None:
    _loop().call_soon_threadsafe(way.close)
