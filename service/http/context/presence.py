"""Who is looking at a game right now, over all processes: seats by number, spectators by how many there are.

Each open stream and each waiting request has a place in a sorted set of the store, which lapses unless it is
refreshed; a seat that only asks now and then has one too. None of it is part of the log, and none of it matters to a
game: when the store does not answer, nobody is known to be there and everything else goes on.
"""

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, ParamSpec, TypeVar

import msgspec

from events.store.errors import StoreError
from events.store.event_store import EventStore
from service.http.context.store import PresenceRecords
from service.platform.clock import now_milliseconds

LAPSES_SECONDS: Final = 70.0
"""How long a place is held without being refreshed; longer than anybody may wait for an answer."""
REFRESH_SECONDS: Final = 12.0
"""A place is refreshed this often at most: every one is written by the store."""
LOOK_SECONDS: Final = 1.0
"""This process asks the store this often at most who is there."""
GIVES_UP_SECONDS: Final = 5.0
"""After a failure the store is left alone for this long: streams would wait for each question anew."""
MOST_REMEMBERED: Final = 5000
"""Games and places whose last look or refresh this process remembers."""
_SPECTATOR = "spectator"
_log = logging.getLogger("fieldbook.presence")
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Present(msgspec.Struct, frozen=True):
    """Who is there."""

    seats: tuple[int, ...] = ()
    """The seats that follow the game or have asked for it lately."""
    spectators: int = 0
    """How many others follow it."""


class Presence:
    """The places of a store's games; safe to use from many threads."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._records = PresenceRecords(store)
        self._looked: dict[str, tuple[float, Present]] = {}
        self._refreshed: dict[tuple[str, str], float] = {}
        self._lock = Lock()
        self._silent_until = 0.0

    def seen(self, game: str, seat: int) -> None:
        """Say that a seat has asked for something."""
        self.refresh(game, f"{seat}/asking")

    def was_seen(self, game: str, seat: int) -> bool:
        """Whether it was said so lately that saying it again would change nothing."""
        last = self._refreshed.get((game, f"{seat}/asking"))
        return last is not None and time.monotonic() - last < REFRESH_SECONDS

    def arrive(self, game: str, seat: int | None) -> str:
        """Take a place for a seat, or for a spectator; it is to be held on now and then, and given back by `go`."""
        place = f"{_SPECTATOR if seat is None else seat}/{secrets.token_hex(8)}"
        with self._lock:
            self._looked.pop(game, None)
        self.hold(game, [place])
        return place

    def go(self, game: str, place: str) -> None:
        """Give a place back."""
        with self._lock:
            self._looked.pop(game, None)
        self._ask(self._records.release, game, place)

    def hold(self, game: str, places: Sequence[str]) -> None:
        """Hold places on, all of them at once, for another `LAPSES_SECONDS`."""
        until = now_milliseconds() + int(LAPSES_SECONDS * 1000)
        self._ask(self._records.hold, game, places, until, int(LAPSES_SECONDS) + 1)

    def refresh(self, game: str, place: str) -> None:
        """Hold one place on; more often than is needed costs nothing."""
        now = time.monotonic()
        with self._lock:
            last = self._refreshed.get((game, place))
            if last is not None and now - last < REFRESH_SECONDS:
                return
            _make_room(self._refreshed)
            self._refreshed[game, place] = now
            if last is None:
                self._looked.pop(game, None)
        self.hold(game, [place])

    def of(self, game: str) -> Present:
        """Who is there, as this process saw it a moment ago."""
        now = time.monotonic()
        with self._lock:
            looked = self._looked.get(game)
            if looked is not None and now - looked[0] < LOOK_SECONDS:
                return looked[1]
            _make_room(self._looked)
        found = self._ask(self._records.held, game, now_milliseconds()) or []
        names = [place.partition("/")[0] for place in found]
        seats = {int(name) for name in names if name != _SPECTATOR}
        present = Present(tuple(sorted(seats)), names.count(_SPECTATOR))
        with self._lock:
            self._looked[game] = (now, present)
        return present

    def _ask(self, question: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T | None:
        """The store's answer, or None where it has none: who is there is worth no failure, and no long wait."""
        if time.monotonic() < self._silent_until:
            return None
        try:
            return question(*arguments, **named)
        except StoreError as error:
            self._silent_until = time.monotonic() + GIVES_UP_SECONDS
            _log.warning("presence is not known: %s", error)
            return None


def _make_room(remembered: dict[str, tuple[float, Present]] | dict[tuple[str, str], float]) -> None:
    """Make room for one more."""
    if len(remembered) >= MOST_REMEMBERED:
        remembered.clear()
