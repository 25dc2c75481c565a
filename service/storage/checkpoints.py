"""How far a projection has read a partition's feed, moved together with its read model or not at all."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from events.store.errors import CheckpointMoved, StoreRefused
from events.store.event_store import EventStore
from events.store.redis.client.pool import Argument
from events.store.redis.keys import projection_key
from events.store.redis.redis_store import require_redis

CHECKPOINT = "checkpoint"
"""The part of a projection's keys that holds its position; no read model key may have this name."""


class Write(msgspec.Struct, frozen=True):
    """One change of a read model."""

    command: Literal["HSET", "HDEL", "ZADD", "ZREM", "SADD", "SREM", "SET", "DEL"]
    """What to do; arguments are those of the Redis command after its key, without options."""
    part: str
    """Which of the projection's keys in this partition, such as `games`."""
    arguments: tuple[Argument, ...] = ()
    """Fields and values, scores and members, members, or one value."""


class Checkpoints:
    """Checkpoints and read models of projections, kept on the store's own server.

    Everything here may raise `StoreUnavailable`, `StoreRefused` and `StoreDamaged`.
    """

    def __init__(self, store: EventStore) -> None:
        """Use the server and the functions of a store."""
        self._store = require_redis(store)

    def checkpoint(self, partition: int, projection: str) -> int:
        """Return the position up to which the projection has applied the partition's feed; 0 at first."""
        key = projection_key(partition, projection, CHECKPOINT)
        return int(self._store.connection.command("GET", key) or 0)

    def read_model_key(self, partition: int, projection: str, part: str) -> str:
        """Return the full name of one of the projection's keys, for reading it."""
        return projection_key(partition, projection, part)

    def has_begun(self, partition: int, projection: str) -> bool:
        """Whether the projection has a checkpoint in the partition."""
        key = projection_key(partition, projection, CHECKPOINT)
        return self._store.connection.command("GET", key) is not None

    def text(self, partition: int, projection: str, part: str) -> str:
        """Return a part that is one text; empty where there is none."""
        found = self._store.connection.command("GET", projection_key(partition, projection, part))
        return "" if found is None else str(found.decode())

    def members(self, partition: int, projection: str, part: str) -> list[str]:
        """Return the members of a set."""
        found = self._store.connection.command("SMEMBERS", projection_key(partition, projection, part))
        return [each.decode() for each in found]

    def remove_member(self, partition: int, projection: str, part: str, member: str) -> None:
        """Take a member out of a set, without moving the checkpoint."""
        self._store.connection.command("SREM", projection_key(partition, projection, part), member)

    def ranked(self, partition: int, projection: str, part: str) -> list[str]:
        """Return the members of a sorted set, in order."""
        found = self._store.connection.command("ZRANGE", projection_key(partition, projection, part), 0, -1)
        return [each.decode() for each in found]

    def remove_ranked(self, partition: int, projection: str, part: str, member: str) -> None:
        """Take a member out of a sorted set, without moving the checkpoint."""
        self._store.connection.command("ZREM", projection_key(partition, projection, part), member)

    def count_ranked(self, partition: int, projection: str, part: str) -> int:
        """Return how many members a sorted set has."""
        return int(self._store.connection.command("ZCARD", projection_key(partition, projection, part)))

    def project(
        self, partition: int, projection: str, from_position: int, to_position: int, writes: Sequence[Write]
    ) -> None:
        """Apply the writes in order and move the checkpoint, in one step.

        `to_position` may also lie before `from_position`: with the DELs that empty the read model this starts
        a rebuild.

        Raises:
            CheckpointMoved: the stored checkpoint is not `from_position`; nothing was applied. So too when an
                earlier attempt was applied and its reply lost: go on from where it stands.
            StoreRefused: a write is malformed, or meets a key of another kind; nothing was applied.
            ValueError: a write names the checkpoint itself.
        """
        parts = sorted({write.part for write in writes})
        if CHECKPOINT in parts:
            raise ValueError(f"{CHECKPOINT!r} is no name for a part of a read model.")
        keys = [projection_key(partition, projection, part) for part in (CHECKPOINT, *parts)]
        # The server numbers keys from 1, and the first one is the checkpoint.
        numbers = {part: number for number, part in enumerate(parts, start=2)}
        arguments: list[Argument] = [from_position, to_position]
        for write in writes:
            arguments += [write.command, numbers[write.part], len(write.arguments), *write.arguments]

        match self._store.functions.call("project", keys, arguments):
            case [b"moved"]:
                return
            case [b"elsewhere", actual]:
                raise CheckpointMoved(projection, partition, from_position, actual)
            case [_, what]:
                raise StoreRefused(f"Projection {projection} was not moved: {what.decode()}.")
