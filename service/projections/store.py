"""What read models keep in the store; names and shapes of their keys stand in `service.projections.generations`.

They are written by `service.storage.checkpoints`, with the position that they rest on. Everything here may raise
`StoreUnavailable`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.store.errors import CheckpointMoved, StoreRefused
from events.store.event_store import EventStore
from events.store.redis.client.pool import Argument
from events.store.redis.keys import feed_head_key, projection_key
from events.store.redis.redis_store import require_redis
from service.projections.generations import GAME_LIST, PARTS, Shape, generation_name
from service.storage.checkpoints import CHECKPOINT
from service.storage.scanning import scan
from service.verification.store import INVALID, VALID, Validations

_IN_USE: Final = "generation"
"""The part that says which generation is read; the first one where it is missing."""


class Counts(NamedTuple):
    """How far a generation is in a partition."""

    members: int
    """How many members the hash has that was asked for."""
    position: int
    end: int
    """The position of the feed's last entry."""


class Listing(NamedTuple):
    """A question for the games of a partition that stand in some sorted sets and not in others."""

    partition: int
    generation: int
    name: str
    """The generation's name."""
    summaries: str
    """The part with the games' summaries."""
    inside: Sequence[str]
    """Parts and verdicts (`VALID`, `INVALID`) in which a game must stand; at least one part."""
    outside: Sequence[str]
    """Those in which it must not."""
    arguments: tuple[Argument, ...]
    """How many, how many to look at, the earliest time, and the place behind which to begin; see `list` in Lua."""


class ReadModelRecords:
    """The read models of a store, as they are kept."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)
        self._connection = self._store.connection
        self._command = self._connection.command
        self._reports = Validations(store)

    def all_in_use(self, shape: str) -> list[int]:
        """The generation of a shape that is read in each partition, by one question."""
        partitions = range(self._store.partitions)
        asked = [("GET", projection_key(partition, shape, _IN_USE)) for partition in partitions]
        return [int(each or 1) for each in self._connection.independent_commands(asked)]

    def values(self, partition: int, name: str, part: str) -> dict[str, bytes]:
        """The fields of a hash with their values."""
        found = self._command("HGETALL", projection_key(partition, name, part))
        return {field.decode(): value for field, value in zip(found[::2], found[1::2], strict=True)}

    def counts(self, names: Sequence[str], part: str) -> list[Counts]:
        """How far these generations, one for each partition, are, and how many members this hash of theirs has."""
        asked = [
            command
            for partition, name in enumerate(names)
            for command in (
                ("HLEN", projection_key(partition, name, part)),
                # The end is read last: the other way round a projector could seem to be ahead of it.
                ("GET", projection_key(partition, name, CHECKPOINT)),
                ("GET", feed_head_key(partition)),
            )
        ]
        numbers = iter([int(number or 0) for number in self._connection.independent_commands(asked)])
        return [Counts(*each) for each in zip(numbers, numbers, numbers, strict=True)]

    def count_since(
        self, names: Sequence[str], part: str, since: int, whole: str, asked: Mapping[int, Sequence[str]]
    ) -> tuple[int, frozenset[str]]:
        """How many games stand in a sorted set by this time or a later one, over these generations, one a partition.

        Beside it which of the games asked about, by partition, stand in the sorted set `whole`. A partition that does
        not answer counts as empty.
        """
        questions: list[tuple[Argument, ...]] = [
            ("ZCOUNT", projection_key(partition, name, part), since, "+inf")
            for partition, name in enumerate(names)
        ]
        questions += [
            ("ZMSCORE", projection_key(partition, names[partition], whole), *games)
            for partition, games in asked.items()
        ]
        replies = self._connection.answered_commands(questions)
        found = {
            game
            for games, scores in zip(asked.values(), replies[len(names) :], strict=True)
            for game, score in zip(games, scores or [None] * len(games), strict=True)
            if score is not None
        }
        return sum(each or 0 for each in replies[: len(names)]), frozenset(found)

    def before(
        self, partition: int, name: str, parts: Sequence[str], games: Sequence[str]
    ) -> list[list[bytes | None]]:
        """What hashes hold about some games, hash by hash, and last the reports on them; as of one moment."""
        asked = [("HMGET", projection_key(partition, name, part), *games) for part in parts]
        return self._connection.commands(*asked, self._reports.question(partition, games))

    def content(self, partition: int, name: str, part: str) -> Iterator[tuple[str, bytes]]:
        """The members of a hash, sorted set or set with value, score, or nothing."""
        key = projection_key(partition, name, part)
        match self._command("TYPE", key):
            case b"hash":
                reply: list[Any] = self._command("HGETALL", key)
            case b"zset":
                reply = self._command("ZRANGE", key, 0, -1, "WITHSCORES")
            case b"set":
                reply = [each for member in self._command("SMEMBERS", key) for each in (member, b"")]
            case _:
                reply = []
        for member, value in zip(reply[::2], reply[1::2], strict=True):
            yield member.decode(), value

    def list_all(self, shape: str, listings: Sequence[Listing]) -> list[Any]:
        """The answers to several questions for games, as the function `list` gives them, by one round trip."""
        calls = []
        for each in listings:
            verdicts = dict(zip((VALID, INVALID), self._reports.verdict_keys(each.partition), strict=True))

            def key(part: str, each: Listing = each, verdicts: dict[str, str] = verdicts) -> str:
                return verdicts.get(part) or projection_key(each.partition, each.name, part)

            keys = (
                projection_key(each.partition, shape, _IN_USE),
                key(each.summaries),
                *verdicts.values(),
                *map(key, (*each.inside, *each.outside)),
            )
            calls.append((keys, (each.generation, len(each.inside), *each.arguments)))
        return self._store.functions.call_all("list", calls)


class Generations:
    """Which generation is in use, and what becomes of the others."""

    def __init__(self, store: EventStore, shape: Shape = GAME_LIST) -> None:
        """Look after the generations of a read model in this store."""
        self._store = require_redis(store)
        self._command = self._store.connection.command
        self._shape = shape
        self._parts = (*shape.parts, PARTS)

    def name(self, generation: int) -> str:
        """The name under which a generation's checkpoint and parts are kept."""
        return generation_name(generation, self._shape.name)

    def in_use(self, partition: int) -> int:
        """The generation that is read in a partition."""
        return int(self._command("GET", projection_key(partition, self._shape.name, _IN_USE)) or 1)

    def switch(self, partition: int, old: int, new: int) -> int | None:
        """Have everybody read another generation; None when that is so, else the position it has to reach first.

        Raises:
            CheckpointMoved: neither of the two is in use.
        """
        shape = self._shape.name
        checkpoints = [projection_key(partition, self.name(each), CHECKPOINT) for each in (old, new)]
        keys = (projection_key(partition, shape, _IN_USE), *checkpoints, feed_head_key(partition))
        match self._store.functions.call("switch", keys, (old, new)):
            case [b"switched"]:
                return None
            case [b"behind", position]:
                return int(position)
            case [b"elsewhere", other]:
                raise CheckpointMoved(shape, partition, old, other)
            case other:
                raise StoreRefused(
                    f"The switch to generation {new} gave an answer we do not know: {other!r}."
                )

    def parts(self, partition: int, name: str) -> list[str]:
        """The names of all parts that a generation of this name has in a partition, its checkpoint left out."""
        named = self._command("SMEMBERS", projection_key(partition, name, PARTS))
        return sorted({*self._parts, *(each.decode() for each in named)})

    def remove(self, partition: int, name: str) -> None:
        """Throw a generation's keys away, some at a time; killed in between, it can be done again."""
        # The checkpoint goes first: whoever still projects into this generation is refused from here on.
        self._remove_parts(partition, name, [CHECKPOINT])
        for found in scan(self._store.connection, "SSCAN", projection_key(partition, name, PARTS)):
            self._remove_parts(partition, name, [part.decode() for part in found])
        self._remove_parts(partition, name, self._parts)

    def remove_older(self, partition: int) -> None:
        """Remove all generations before the one in use."""
        for generation in range(1, self.in_use(partition)):
            self.remove(partition, self.name(generation))

    def _remove_parts(self, partition: int, name: str, parts: Sequence[str]) -> None:
        self._command("UNLINK", *(projection_key(partition, name, part) for part in parts))
