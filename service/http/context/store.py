"""What the interface asks the store itself: who follows a game, for as long as they say so; which games there are.

{pNN}:presence:<game>   sorted set that expires: places by when they lapse (milliseconds since the epoch)
"""

from collections.abc import Sequence
from math import inf
from typing import Final

from events.store.event_store import EventStore
from events.store.partitions import partition_tag
from events.store.redis.client.cluster import RedisClusterConnection
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis
from events.store.waiting import waiting_at_most

_HOLD: Final = """
redis.call('ZADD', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
"""


class PresenceRecords:
    """The places of a store's games. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)
        self._connection = self._store.connection

    def hold(self, game: str, places: Sequence[str], until: int, seconds: int) -> None:
        """Hold places until then; all of a game's are forgotten after so many seconds without a word.

        Holding and the time to forget are one step: a process that ends in between leaves no key that stays for ever.
        """
        pairs = (each for place in places for each in (until, place))
        self._connection.command("EVAL", _HOLD, 1, self._key(game), seconds, *pairs, repeat=True)

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

    def existing(self, games: Sequence[str], seconds: float = inf) -> list[str]:
        """Those that there are, in their order; one whose partition does not answer counts as not there.

        In a cluster a partition is waited for so many seconds. One server answers for all partitions: a slow answer
        of it is waited for like any other.

        Raises:
            StoreUnavailable: no partition answers.
        """
        heads = [GameKeys(game, self._store.partitions).head for game in games]
        connection = self._store.connection
        is_cluster = isinstance(connection, RedisClusterConnection)
        with waiting_at_most(seconds if is_cluster else inf):
            found = connection.answered_commands([("EXISTS", head) for head in heads])
        return [game for game, is_there in zip(games, found, strict=True) if is_there]
