"""A request that waits for news of a game, without a thread where the server offers that.

Such a request is suspended: the view is left, the event loop waits (`service.server.wsgi_bridge`), and when there are
news, or none for too long, the request is asked once more and finds here that it has waited already. So its caller is
admitted anew, as has to be: a token may have been revoked meanwhile.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from flask import request

from service.http.context.limits import carry_over
from service.http.context.services import Services, services
from service.http.follow.detaching import watch_client
from service.http.messages.begun import Begun
from service.http.push.watch import Watch

SUSPENDS: Final = "fieldbook.suspends"
"""The key of the offer to wait without a thread, in a request's WSGI environment."""
WAITING: Final = "fieldbook.waiting"
"""The key of what a request that was suspended waits with."""


class Waiting:
    """What a waiting request has a place of."""

    def __init__(self, watch: Watch, seconds: float, close: Callable[[], None]) -> None:
        """Wait so many seconds at most; `close` gives the places back."""
        self.watch = watch
        self.ends = time.monotonic() + seconds
        self.version = 0
        """The version of the log that was read."""
        self.begun = Begun()
        """What must not be done twice for the request."""
        self._close: Callable[[], None] | None = close

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.ends - time.monotonic()

    def close(self) -> None:
        """Give its places back, once."""
        close, self._close = self._close, None
        if close is not None:
            close()


class RequestSuspended(BaseException):
    """No failure: the request waits, and is asked again. Nothing between the view and the server may catch it."""

    def __init__(self, waiting: Waiting) -> None:
        """Say with what it waits."""
        super().__init__()
        self.waiting = waiting


def begin_waiting(game: str, seat: int | None, seconds: float) -> Waiting | None:
    """What this request waits with: what it had before it was suspended, or places of its own; None without a place.

    A seat, or a spectator, counts as present for as long.

    Raises:
        StoreUnavailable
    """
    known: Waiting | None = request.environ.get(WAITING)
    if known is not None:
        return known
    return open_waiting(services(), game, seat, seconds)


def open_waiting(found: Services, game: str, seat: int | None, seconds: float) -> Waiting | None:
    """Places to wait for a game with, for so many seconds; None where there is none left.

    Raises:
        StoreUnavailable
    """
    watch = found.notifier.watch(game)
    if watch is None:
        return None
    with ExitStack() as stack:
        stack.callback(found.notifier.leave_watch, watch)
        place = found.presence.arrive(game, seat)
        stack.callback(found.presence.go, game, place)
        return Waiting(watch, seconds, stack.pop_all().close)


def wait(waiting: Waiting, moves_on: Callable[[], int | None]) -> None:
    """Wait until the log has moved on; `moves_on` reads it, and says to which version where that is not enough yet.

    Raises:
        RequestSuspended: somebody else waits, and asks again.
        GameNotFound, StoreUnavailable
    """
    with ExitStack() as stack:
        stack.callback(waiting.close)
        is_gone = watch_client()
        while True:
            waiting.watch.look()
            version = moves_on()
            if version is None or waiting.left <= 0 or is_gone():
                return
            if request.environ.get(SUSPENDS):
                waiting.version, waiting.begun = version, carry_over()
                stack.pop_all()
                raise RequestSuspended(waiting)
            waiting.watch.wait(version, waiting.left, is_gone)
