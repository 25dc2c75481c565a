"""What the interface asks the store itself: who follows a game, for as long as they say so; which games there are.

{pNN}:presence:<game>   sorted set that expires: places by when they lapse (milliseconds since the epoch)
"""

from collections.abc import Sequence

from events.store.event_store import EventStore
from events.store.partitions import partition_tag
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis


class PresenceRecords:
    """The places of a store's games. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)
        self._connection = self._store.connection

    def hold(self, game: str, places: Sequence[str], until: int, seconds: int) -> None:
        """Hold places until then; all of a game's are forgotten after so many seconds without a word."""
        key = self._key(game)
        self._connection.command("ZADD", key, *(each for place in places for each in (until, place)))
        self._connection.command("EXPIRE", key, seconds)

    def release(self, game: str, place: str) -> None:
        """Give a place back."""
        self._connection.command("ZREM", self._key(game), place)

    def held(self, game: str, at: int) -> list[str]:
        """The places that have not lapsed by this moment."""
        found = self._connection.command("ZRANGE", self._key(game), at, "+inf", "BYSCORE")
        return [place.decode() for place in found]

    def _key(self, game: str) -> str:
        return f"{partition_tag(self._store.partition_of(game))}:presence:{game}"


class GameHeads:
    """Which of some games there are, asked together."""

    def __init__(self, store: EventStore) -> None:
        """Look at the games of this store."""
        self._store = require_redis(store)

    def existing(self, games: Sequence[str]) -> list[str]:
        """Those that there are, in their order; one whose partition does not answer counts as not there.

        Raises:
            StoreUnavailable: no partition answers.
        """
        heads = [GameKeys(game, self._store.partitions).head for game in games]
        found = self._store.connection.answered_commands([("EXISTS", head) for head in heads])
        return [game for game, is_there in zip(games, found, strict=True) if is_there]
