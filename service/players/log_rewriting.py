"""Rewriting the store's append-only file after names were forgotten: until then it holds them.

The file lists every write. The server rewrites it from what is stored by itself, but only when it has doubled, which
may take months. A name that was forgotten leaves a mark; the projector finds it and has the file rewritten. It
removes the mark when the rewrite has succeeded.
"""

import logging
import time
from typing import Final

from events.store.errors import StoreRefused
from events.store.event_store import EventStore
from service.platform.timer import Due
from service.players.store import ForgottenNames, Rewrites

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
        self._started: tuple[str, Rewrites] | None = None
        """The mark that was read before the rewrites in progress."""
        self._refused = ""
        """The mark of the last warning that the server permits no rewrite."""

    def declaration(self) -> Due:
        """Return what the timer of a process performs."""
        return Due("rewriting the store's file", self._rewrite, LOOK_SECONDS)

    def _rewrite(self, _now: int) -> None:
        if self._started is not None and not self._finish(*self._started):
            return
        if time.monotonic() < self._not_before:
            return
        mark = self._forgotten.mark()
        if mark is None:
            return
        try:
            rewrites = self._forgotten.rewrite_log()
        except StoreRefused as error:
            self._not_before = time.monotonic() + APART_SECONDS
            if mark != self._refused:
                self._refused = mark
                _log.warning(
                    "a forgotten name stays in the store's append-only file until the server rewrites it: %s",
                    error,
                )
            return
        if rewrites is not None:
            self._not_before = time.monotonic() + APART_SECONDS
            self._started = mark, rewrites

    def _finish(self, mark: str, rewrites: Rewrites) -> bool:
        """Remove the mark if the rewrites have succeeded; return False while one is in progress."""
        succeeded = self._forgotten.has_rewritten(rewrites)
        if succeeded is None:
            return False
        if succeeded:
            self._forgotten.unmark(mark)
        else:
            _log.warning(
                "a forgotten name stays in the store's append-only file: rewriting the file failed; it is tried again"
            )
        self._started = None
        return True
