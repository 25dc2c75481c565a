"""Rewriting the store's append-only file after names were forgotten: until then it holds them.

The file lists every write. The server rewrites it from what is stored by itself, but only when it has doubled, which
may take months. A name that was forgotten leaves a mark; the projector finds it and has the file rewritten.
"""

import logging
import time
from typing import Final

from events.store.errors import StoreRefused
from events.store.event_store import EventStore
from service.platform.timer import Due
from service.players.store import ForgottenNames

LOOK_SECONDS: Final = 5.0
APART_SECONDS: Final = 60.0
"""Between two rewrites; names that are forgotten in between share one."""
_log = logging.getLogger("fieldbook.projector")


class LogRewriting:
    """Has the append-only file rewritten; every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Look after this store's server, or all primaries of its cluster."""
        self._forgotten = ForgottenNames(store)
        self._not_before = float("-inf")

    def declaration(self) -> Due:
        """Return what the timer of a process performs."""
        return Due("rewriting the store's file", self._rewrite, LOOK_SECONDS)

    def _rewrite(self, _now: int) -> None:
        if time.monotonic() < self._not_before:
            return
        mark = self._forgotten.mark()
        if mark is None:
            return
        try:
            if not self._forgotten.rewrite_log():
                return
        except StoreRefused as error:
            _log.warning(
                "a forgotten name stays in the store's append-only file until the server rewrites it: %s",
                error,
            )
        self._not_before = time.monotonic() + APART_SECONDS
        self._forgotten.unmark(mark)
