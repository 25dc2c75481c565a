"""The generations of the list of games: one is read, another one may be built beside it.

`games-2` names the projection and the shape of what it writes; a change of the shape needs the next number. Of one
shape there are generations, `games-2.1`, `games-2.2` and so on, each with a checkpoint and keys of its own. Which one
is in use stands in each partition, so that the switch is one step on one server, also on a cluster.

A generation's keys in a partition:

games         hash: game id to its summary as JSON
created       sorted set: game id by time of creation (milliseconds)
status:open   sorted set, likewise: the games of one status; so too `system:classic` and `player:Ada`
seen:open     sorted set, likewise: the games of one status as spectators see it, who may be some versions behind
public        sorted set, likewise: games that everybody finds in the list
creator:key_… sorted set, likewise: the games that one key has set up
due           sorted set, likewise: finished games whose validation may still be due
quarantined   sorted set, likewise: games that cannot be read as far as they were played
quarantine    hash: game id to why, for those in quarantine
parts         set: the names of the sorted sets of systems, players and creators
checkpoint    how far the feed was read
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from events.redis_keys import feed_head_key, projection_key
from events.redis_store import RedisEventStore
from events.store_errors import CheckpointMoved, StoreRefused
from service.checkpoints import CHECKPOINT

GAMES: Final = "games-2"
"""Name of the projection and of the shape of what it writes."""
IN_USE: Final = "generation"
"""The part that says which generation is read; the first one where it is missing."""
SUMMARIES: Final = "games"
CREATED: Final = "created"
DUE: Final = "due"
QUARANTINED: Final = "quarantined"
PUBLIC: Final = "public"
QUARANTINE: Final = "quarantine"
PARTS: Final = "parts"
STATUSES: Final = ("open", "running", "finished", "unknown")
_FORMER: Final = {"games-1": ("games", "created", "finished", CHECKPOINT)}
"""What releases before wrote, by the projection's name then."""
_CHUNK: Final = 500


def generation_name(generation: int) -> str:
    """The name under which a generation's checkpoint and parts are kept."""
    return f"{GAMES}.{generation}"


def status_part(status: str) -> str:
    """The sorted set of the games of a status."""
    return f"status:{status}"


def seen_part(status: str) -> str:
    """The sorted set of the games that spectators see in a status."""
    return f"seen:{status}"


def creator_part(key: str) -> str:
    """The sorted set of the games that the key with this id has set up."""
    return f"creator:{quote(key, safe='')}"


def system_part(system: str) -> str:
    """The sorted set of the games of a rule system."""
    return f"system:{quote(system, safe='')}"


def player_part(name: str) -> str:
    """The sorted set of the games in which somebody of this name sits."""
    return f"player:{quote(name, safe='')}"


_OTHER_PARTS: Final = (
    SUMMARIES,
    QUARANTINE,
    PARTS,
    CREATED,
    DUE,
    QUARANTINED,
    PUBLIC,
    *map(status_part, STATUSES),
    *map(seen_part, STATUSES),
)


class Generations:
    """Which generation is in use, and what becomes of the others; every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore) -> None:
        """Look after the generations in this store."""
        self._store = store

    def in_use(self, partition: int) -> int:
        """The generation that is read in a partition."""
        return int(self._store.connection.command("GET", in_use_key(partition)) or 1)

    def switch(self, partition: int, old: int, new: int) -> int | None:
        """Have everybody read another generation; None when that is so, else the position it has to reach first.

        Raises:
            CheckpointMoved: neither of the two is in use.
        """
        keys = (
            in_use_key(partition),
            projection_key(partition, generation_name(old), CHECKPOINT),
            projection_key(partition, generation_name(new), CHECKPOINT),
            feed_head_key(partition),
        )
        match self._store.functions.call("switch", keys, (old, new)):
            case [b"switched"]:
                return None
            case [b"behind", position]:
                return int(position)
            case [b"elsewhere", other]:
                raise CheckpointMoved(GAMES, partition, old, other)
            case other:
                raise StoreRefused(
                    f"The switch to generation {new} gave an answer we do not know: {other!r}."
                )

    def parts(self, partition: int, name: str) -> list[str]:
        """The names of all parts that a generation of this name has in a partition, its checkpoint left out."""
        found = self._store.connection.command("SMEMBERS", projection_key(partition, name, PARTS))
        return sorted({*_OTHER_PARTS, *(part.decode() for part in found)})

    def remove(self, partition: int, name: str) -> None:
        """Throw a generation's keys away, some at a time; killed in between, it can be done again."""
        command = self._store.connection.command
        parts = projection_key(partition, name, PARTS)
        # The checkpoint goes first: whoever still projects into this generation is refused from here on.
        command("UNLINK", projection_key(partition, name, CHECKPOINT))
        cursor = b"0"
        while True:
            cursor, found = command("SSCAN", parts, cursor, "COUNT", _CHUNK)
            keys = [projection_key(partition, name, part.decode()) for part in found]
            if keys:
                command("UNLINK", *keys)
            if cursor == b"0":
                break
        command("UNLINK", *(projection_key(partition, name, part) for part in _OTHER_PARTS))

    def remove_older(self, partition: int) -> None:
        """Throw all generations before the one in use away, and what former releases wrote."""
        for generation in range(1, self.in_use(partition)):
            self.remove(partition, generation_name(generation))
        for key in _former_keys(partition):
            self._store.connection.command("UNLINK", key)


def in_use_key(partition: int) -> str:
    """The key that says which generation is in use in a partition."""
    return projection_key(partition, GAMES, IN_USE)


def _former_keys(partition: int) -> Iterator[str]:
    for name, parts in _FORMER.items():
        yield from (projection_key(partition, name, part) for part in parts)
