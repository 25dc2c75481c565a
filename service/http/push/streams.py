"""The open streams of this process: few threads for all of them.

The event loop sends (`service.http.push.stream_sending`), one thread reads the feeds
(`service.http.push.feed_notifier`), one looks at all streams now and then, and a few read logs and form what is sent:
only these ever wait for the store. While it does not answer, streams stay and say that they are there.
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import cycle
from threading import Lock
from typing import Final, Protocol, TypeVar, cast

from events.store.errors import StoreUnavailable
from service.http.push import stream_limits
from service.http.push.feed_notifier import FeedNotifier
from service.http.push.keeping import Keeper
from service.http.push.outbox import Outbox
from service.http.push.stream_limits import places
from service.platform.metrics import LOOP_FAILURES

READERS: Final = 4
"""Threads that read logs and form what is sent."""
STILL_HERE: Final = b": still here\n\n"
_log = logging.getLogger("fieldbook.streams")


class Followed(Protocol):
    """A game that streams follow; its methods may raise StoreError."""

    def is_due(self, now: float) -> bool:
        """Whether it is to be maintained."""

    def maintain(self) -> None:
        """Do what is to be done now and then."""

    def advance(self) -> None:
        """Tell what is new."""

    def end(self) -> None:
        """End all its streams."""


Game = TypeVar("Game", bound=Followed)


class _Part:
    """Streams and games that are looked at together."""

    def __init__(self) -> None:
        self.outboxes: set[Outbox] = set()
        self.games: set[_Held] = set()
        self.looked = time.monotonic()


class _Held:
    """A game that is followed, by how many, and what is to be done for it already."""

    def __init__(self, game: Followed, part: _Part) -> None:
        self.game = game
        self.part = part
        self.streams = 0
        self.is_to_advance = False
        self.is_to_be_maintained = False

    def advance(self) -> None:
        # Before the log is read: what comes while it is read is looked for once more.
        self.is_to_advance = False
        self.game.advance()

    def maintain(self) -> None:
        try:
            self.game.maintain()
        finally:
            self.is_to_be_maintained = False


class Streams:
    """All open streams; safe to use from many threads."""

    def __init__(self, notifier: FeedNotifier) -> None:
        """Follow games by what this one tells."""
        self._notifier = notifier
        self._lock = Lock()
        self._parts = tuple(_Part() for _ in range(stream_limits.PARTS))
        self._turns = cycle(self._parts)
        """Which part is looked at next."""
        self._open = 0
        self._opened = 0
        self._games: dict[str, _Held] = {}
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="stream-reader")
        self._keeper: Keeper | None = None
        self._to_advance: deque[_Held] = deque()
        self._is_advancing = False
        """Whether a thread is about to begin with those that are to advance."""
        self._is_closed = False
        self._complained = float("-inf")

    @property
    def open(self) -> int:
        """How many there are."""
        return self._open

    def begin(self) -> Outbox | None:
        """What is sent over a new stream; None where there is no place for one. `finish` it afterwards."""
        with self._lock:
            if self._is_closed or self._open >= places():
                return None
            self._opened += 1
            self._open += 1
            outbox = Outbox(time.monotonic() + stream_limits.lasts(self._opened))
            self._part(self._opened).outboxes.add(outbox)
            self._keeper = self._keeper or Keeper(self._look)
        return outbox

    def finish(self, outbox: Outbox) -> None:
        """Give the place of a stream back."""
        outbox.end()
        with self._lock:
            for part in self._parts:
                if outbox in part.outboxes:
                    part.outboxes.remove(outbox)
                    self._open -= 1

    def follow(self, name: str, make: Callable[[], Game]) -> Game:
        """The game of this name for one more stream, made where none follows it yet; `leave` it afterwards.

        Raises:
            StoreUnavailable
        """
        with self._lock:
            held = self._games.get(name)
            if held is None:
                held = _Held(make(), self._part(len(self._games)))
                self._notifier.follow(name, partial(self._heard, held))
                self._games[name] = held
                held.part.games.add(held)
            held.streams += 1
        return cast("Game", held.game)

    def leave(self, name: str) -> None:
        """Have one stream less follow a game."""
        with self._lock:
            held = self._games[name]
            held.streams -= 1
            if not held.streams:
                del self._games[name]
                held.part.games.remove(held)
                self._notifier.leave(name)

    def later(self, game: Followed, task: Callable[[], None]) -> None:
        """Do something for the streams of a game that may wait for the store; where it fails for good, they end."""
        self._do(partial(self._attempt, game, task))

    def end(self) -> None:
        """End all streams at once, and begin no more; their clients come back, here or elsewhere."""
        with self._lock:
            self._is_closed = True
            outboxes = [outbox for part in self._parts for outbox in part.outboxes]
        for outbox in outboxes:
            outbox.end()
        if self._keeper is not None:
            self._keeper.close()

    def close(self) -> None:
        """End all streams, and wait for what was under way; the store may be closed afterwards."""
        self.end()
        self._readers.shutdown()
        self._notifier.close()

    def _do(self, task: Callable[[], None]) -> None:
        """Do this on one of the threads that may wait."""
        try:
            self._readers.submit(task)
        except RuntimeError:
            _log.debug("the streams are closed, and nothing is done for them any more")

    def _attempt(self, game: Followed, task: Callable[[], None]) -> None:
        """Where the store does not answer for now, the next time will do; else clients come back and are told why."""
        try:
            task()
        except StoreUnavailable as error:
            now = time.monotonic()
            if now - self._complained >= stream_limits.HEARTBEAT_SECONDS:
                self._complained = now
                _log.warning("streams wait for the store: %s", error)
        except Exception:  # noqa: BLE001 - one broken game must not stop the streams of all others
            _log.exception("the streams of a game are ended")
            LOOP_FAILURES.labels("streams").inc()
            game.end()

    def _heard(self, held: _Held) -> None:
        """Have a game advance, together with others of which is heard at the same time."""
        if not held.is_to_advance:
            held.is_to_advance = True
            self._to_advance.append(held)
            if not self._is_advancing:
                self._is_advancing = True
                self._do(self._advance)

    def _advance(self) -> None:
        # Before anything is taken: what comes from now on is taken by this thread, or by another one.
        self._is_advancing = False
        while self._to_advance:
            with suppress(IndexError):
                held = self._to_advance.popleft()
                self._attempt(held.game, held.advance)

    def _part(self, number: int) -> _Part:
        """Where what has this number belongs: those that began one after another are in different parts."""
        return self._parts[number % len(self._parts)]

    def _look(self, now: float) -> None:
        """Look at one part: end streams whose time is up, say over silent ones that they are there, and so on."""
        part = next(self._turns)
        with self._lock:
            outboxes, games = [*part.outboxes], [*part.games]
            looked, part.looked = part.looked, now
        for outbox in outboxes:
            if now >= outbox.ends:
                outbox.end()
            elif stream_limits.beats(outbox.ends, looked, now) and outbox.is_silent(looked):
                outbox.put(STILL_HERE)
        for held in games:
            if not held.is_to_be_maintained and held.game.is_due(now):
                held.is_to_be_maintained = True
                self.later(held.game, held.maintain)
