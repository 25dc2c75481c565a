"""The list of games: a read model written by the projector, read by the API.

It can be thrown away and projected again from the logs. Its keys, per partition:

games      hash: game id to its summary as JSON
created    sorted set: game id by time of creation (milliseconds)
finished   set: games whose end was projected and whose validation is still due
"""

import heapq
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Final

import msgspec

from events.redis_store import RedisEventStore
from service.admission import PUBLIC_GAME
from service.checkpoints import Checkpoints
from service.validations import Validations

GAMES = "games-1"
"""Name and version of this projection."""
MOST_LISTED = 200
"""Games in one page at most."""
_CHUNK = 200


class Summary(msgspec.Struct, frozen=True):
    """A game in the list."""

    game: str
    system: str
    status: str
    players: tuple[str | None, ...]
    version: int
    created: int
    """Milliseconds since the epoch."""
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    validation: str = "pending"
    """`pending` until the finished game's report is there, then `valid` or `invalid`."""
    visibility: str = PUBLIC_GAME
    spectator_delay: int = 0
    """Versions that spectators are behind until the game has finished."""
    creator: str = ""
    """The id of the key that set the game up."""
    opened: int = 0
    """The last version at which the game was open, once it has started."""

    def behind(self) -> "Summary":
        """The game as spectators see it who are behind."""
        if not self.spectator_delay or self.status != "running":
            return self
        version = max(self.version - self.spectator_delay, self.opened)
        status = "open" if version <= self.opened else "running"
        return msgspec.structs.replace(self, version=version, status=status, scores=None, winners=None)


class Filter(msgspec.Struct, frozen=True):
    """Which games to list; None is any."""

    system: str | None = None
    status: str | None = None
    player: str | None = None
    validation: str | None = None

    def matches(self, summary: Summary) -> bool:
        """Whether a game is to be listed."""
        return (
            self.system in (None, summary.system)
            and self.status in (None, summary.status)
            and self.validation in (None, summary.validation)
            and (self.player is None or self.player in summary.players)
        )


class Audience(msgspec.Struct, frozen=True):
    """Who looks at the list: by default strangers, who are shown public games as spectators see them."""

    key: str | None = None
    """The id of their key: with it they see their own games."""
    every: bool = False
    """Whether they see games that are not public."""
    every_finished: bool = False
    """Whether they see those once they have finished."""
    is_current: bool = False
    """Whether they see all games as they stand."""

    def sees(self, summary: Summary) -> Summary | None:
        """A game as they may see it, or None."""
        is_own = self.key is not None and self.key == summary.creator
        is_open_to_them = self.every or (self.every_finished and summary.status == "finished")
        if summary.visibility != PUBLIC_GAME and not (is_own or is_open_to_them):
            return None
        return summary if is_own or self.is_current else summary.behind()


SERVICE: Final = Audience(every=True, is_current=True)
"""The service itself."""


class BadCursor(Exception):
    """A cursor is not one that this list handed out."""


class GameList:
    """The list of games as last projected, newest first."""

    def __init__(self, store: RedisEventStore) -> None:
        """Read the projection kept beside the store's games."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._validations = Validations(store)

    def summary(self, game: str) -> Summary | None:
        """One game as last projected, or None.

        Raises:
            StoreUnavailable
        """
        partition = self._store.partition_of(game)
        stored = self._store.connection.command("HGET", self._key(partition, "games"), game)
        return msgspec.json.decode(stored, type=Summary) if stored is not None else None

    def page(
        self, wanted: Filter, limit: int, cursor: str | None, audience: Audience = SERVICE
    ) -> tuple[list[Summary], str | None]:
        """At most `limit` games as an audience may see them, and the cursor of the next page if there are more.

        Raises:
            BadCursor, StoreUnavailable
        """
        limit = min(limit, MOST_LISTED)
        before = _decoded(cursor) if cursor is not None else None
        parts = [self._newest_first(partition, before) for partition in range(self._store.partitions)]
        found: list[Summary] = []
        for stored in heapq.merge(*parts, key=_age):
            summary = audience.sees(stored)
            if summary is not None and wanted.matches(summary):
                if len(found) == limit:
                    return found, _encoded(found[-1])
                found.append(summary)
        return found, None

    def _newest_first(self, partition: int, before: tuple[int, str] | None) -> Iterator[Summary]:
        """All games of a partition, or those after a place in the list, read in chunks."""
        command = self._store.connection.command
        highest = "+inf" if before is None else str(before[0])
        start = 0
        while True:
            arguments = (self._key(partition, "created"), highest, "-inf", "LIMIT", start, _CHUNK)
            games = [game.decode() for game in command("ZREVRANGEBYSCORE", *arguments)]
            if not games:
                return
            start += len(games)
            stored = command("HMGET", self._key(partition, "games"), *games)
            verdicts = self._validations.verdicts(partition, games)
            for summary, verdict in zip(stored, verdicts, strict=True):
                listed = msgspec.structs.replace(
                    msgspec.json.decode(summary, type=Summary), validation=verdict
                )
                if before is None or _age(listed) > (-before[0], _reversed(before[1])):
                    yield listed

    def _key(self, partition: int, part: str) -> str:
        return self._checkpoints.read_model_key(partition, GAMES, part)


def _age(summary: Summary) -> tuple[int, tuple[int, ...]]:
    """Sorts the newest first; games of the same millisecond as the store lists them, by id downwards."""
    return (-summary.created, _reversed(summary.game))


def _reversed(game: str) -> tuple[int, ...]:
    return tuple(-ord(letter) for letter in game)


def _encoded(last: Summary) -> str:
    return urlsafe_b64encode(f"{last.created}/{last.game}".encode()).decode().rstrip("=")


def _decoded(cursor: str) -> tuple[int, str]:
    try:
        created, game = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split("/")
        return int(created), game
    except ValueError as error:
        raise BadCursor(cursor) from error
