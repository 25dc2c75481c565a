"""Finished games in the order in which they ended, from any place on: what an export is made of.

The order is that of the feeds, partition by partition. A place is one position in every feed, so an export that goes
on from the place where an earlier one stopped has every game that ended since, each once, and nothing is kept about
who has exported what.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from events.store.errors import GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from service.verification.finished_games import LAST_EVENT

CHUNK = 2000
"""Feed entries read at once."""


class BadPlace(Exception):
    """A text is no place in the feeds of this installation."""


class Wanted(NamedTuple):
    """Which finished games to export; None is any."""

    system: str | None = None
    finished_after: int | None = None
    """Finished at this time or later: milliseconds since the epoch."""
    finished_before: int | None = None
    """Finished before this time."""

    def finished_at(self, time: int) -> bool:
        """Whether a game that finished then is wanted."""
        is_late_enough = self.finished_after is None or time >= self.finished_after
        return is_late_enough and (self.finished_before is None or time < self.finished_before)


class Ended(NamedTuple):
    """A game that has ended, and the place after it."""

    game: str
    version: int
    hash: str
    """The chain hash of its last entry; empty where that cannot be read."""
    place: tuple[int, ...]


class Place:
    """How a place is written, for one installation: nobody else's is taken for it."""

    def __init__(self, store: EventStore) -> None:
        """Write and read places in the feeds of this store."""
        self._store = store
        self._installation = store.installation.installation_id[:8]

    def written(self, place: tuple[int, ...]) -> str:
        """A place as one opaque word."""
        return urlsafe_b64encode(msgspec.json.encode((self._installation, *place))).decode().rstrip("=")

    def read(self, text: str | None) -> tuple[int, ...]:
        """The place that a word stands for, or the beginning.

        Raises:
            BadPlace: it is none of ours, or lies behind the end.
            StoreUnavailable
        """
        if text is None:
            return (0,) * self._store.partitions
        try:
            installation, *place = msgspec.json.decode(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except (ValueError, TypeError, msgspec.DecodeError) as error:
            raise BadPlace(text) from error
        ends = feed_ends(self._store)
        if installation != self._installation or len(place) != len(ends):
            raise BadPlace(text)
        if not all(type(each) is int and 0 <= each <= end for each, end in zip(place, ends, strict=True)):
            raise BadPlace(text)
        return tuple(place)


def feed_ends(store: EventStore) -> tuple[int, ...]:
    """The place after everything that there is.

    Raises:
        StoreUnavailable
    """
    return tuple(store.feed_end(partition) for partition in range(store.partitions))


def list_ended_since(
    store: EventStore, place: tuple[int, ...], ends: tuple[int, ...], wanted: Wanted
) -> Iterator[Ended]:
    """The wanted games that ended between two places.

    A game whose log is gone or damaged is among them: nothing drops out by being broken.

    Raises:
        StoreUnavailable
    """
    for partition, (position, end) in enumerate(zip(place, ends, strict=True)):
        after = position
        while after < end:
            entries = store.read_feed(partition, after, min(CHUNK, end - after))
            # Nothing follows the end of a game, so only a game's last entry of a chunk can be its end.
            last_entries = {each.game_id: each for each in entries}.values()
            for entry in sorted(last_entries, key=lambda each: each.position):
                there = (*ends[:partition], entry.position, *place[partition + 1 :])
                found = _find_ended(store, entry.game_id, entry.last_version, there, wanted)
                if found is not None:
                    yield found
            after = entries[-1].position


def _find_ended(
    store: EventStore, game: str, version: int, place: tuple[int, ...], wanted: Wanted
) -> Ended | None:
    """The game, where it ended with this version and is wanted."""
    try:
        (last,) = store.read(game, version - 1, 1)
        if last.type != LAST_EVENT:
            return None
        if not wanted.finished_at(last.at):
            return None
        if wanted.system is not None:
            (first,) = store.read(game, 0, 1)
            if msgspec.json.decode(first.data).get("system") != wanted.system:
                return None
    except (GameNotFound, StoreDamaged, ValueError, AttributeError):
        return Ended(game, version, "", place)
    return Ended(game, version, last.hash, place)
