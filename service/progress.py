"""How far the list of games is behind the log, and what it could not read."""

import msgspec

from events.redis_keys import feed_head_key, projection_key
from events.redis_store import RedisEventStore
from events.store_errors import GameNotFound, StoreDamaged
from service.checkpoints import CHECKPOINT
from service.projections.game_projection import GameProjection, Quarantined
from service.projections.generations import QUARANTINE, Generations, generation_name, in_use_key


class PartitionProgress(msgspec.Struct, frozen=True):
    """How far the list of games is in one partition."""

    partition: int
    generation: int
    """The generation in use."""
    quarantined: int
    """Games that cannot be read as far as they were played."""
    position: int
    """The last feed entry that was projected."""
    end: int
    """The last feed entry there is."""

    @property
    def lag(self) -> int:
        """Feed entries that are not projected yet."""
        return max(0, self.end - self.position)

    @property
    def is_ahead(self) -> bool:
        """Whether more was projected than the feed holds: the store has lost something, and projecting stops."""
        return self.position > self.end


def projection_progress(store: RedisEventStore) -> tuple[PartitionProgress, ...]:
    """How far the list of games is, by partition, in two round trips.

    Raises:
        StoreUnavailable
    """
    partitions = range(store.partitions)
    in_use = store.connection.independent_commands(
        [("GET", in_use_key(partition)) for partition in partitions]
    )
    generations = [int(generation or 1) for generation in in_use]
    found = store.connection.independent_commands(
        [
            command
            for partition, generation in zip(partitions, generations, strict=True)
            for command in _questions(partition, generation_name(generation))
        ]
    )
    numbers = iter([int(number or 0) for number in found])
    return tuple(
        PartitionProgress(partition, generation, quarantined, position, end)
        for partition, generation, quarantined, position, end in zip(
            partitions, generations, numbers, numbers, numbers, strict=True
        )
    )


def _questions(partition: int, name: str) -> tuple[tuple[str, str], ...]:
    # The end is read last: the other way round a projector could seem to be ahead of it.
    return (
        ("HLEN", projection_key(partition, name, QUARANTINE)),
        ("GET", projection_key(partition, name, CHECKPOINT)),
        ("GET", feed_head_key(partition)),
    )


BOTS = "bots-1"
"""Name and version of the checkpoints of the process that plays the bots."""


WEBHOOKS = "webhooks-1"
"""Name and version of the checkpoints of the process that tells webhooks."""


def seconds_behind(store: RedisEventStore, progress: PartitionProgress, now: int) -> float:
    """How long the oldest entry that is not projected has been waiting at `now` (milliseconds); 0 where none is.

    Where its game cannot be read the next ones are asked for it.

    Raises:
        StoreUnavailable
    """
    if not progress.lag:
        return 0.0
    for entry in store.read_feed(progress.partition, progress.position, _LOOKS):
        try:
            events = store.read(entry.game_id, entry.first_version - 1, 1)
        except (GameNotFound, StoreDamaged):
            continue
        return max(0.0, (now - events[0].at) / 1000) if events else 0.0
    return 0.0


def quarantined_games(store: RedisEventStore) -> dict[str, Quarantined]:
    """The games in quarantine, with the reasons, partition by partition.

    Raises:
        StoreUnavailable
    """
    generations = Generations(store)
    found: dict[str, Quarantined] = {}
    for partition in range(store.partitions):
        name = generation_name(generations.in_use(partition))
        found |= GameProjection(store, name).quarantine(partition)
    return found


_LOOKS = 10
