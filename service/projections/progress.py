"""How far the list of games is behind the log, and what it could not read; also for people and as JSON."""

from typing import Self

import msgspec

from events.store.errors import GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from service.platform.clock import now_milliseconds
from service.projections.game_projection import GameProjection, Unprojectable
from service.projections.generations import GAMES, QUARANTINE, generation_name
from service.projections.store import Generations, ReadModelRecords


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


def projection_progress(store: EventStore) -> tuple[PartitionProgress, ...]:
    """How far the list of games is, by partition, in two round trips.

    Raises:
        StoreUnavailable
    """
    records = ReadModelRecords(store)
    generations = records.all_in_use(GAMES)
    counts = records.counts([generation_name(each) for each in generations], QUARANTINE)
    return tuple(
        PartitionProgress(partition, generation, *found)
        for partition, (generation, found) in enumerate(zip(generations, counts, strict=True))
    )


BOTS = "bots-1"
"""Name and version of the checkpoints of the process that plays the bots."""


WEBHOOKS = "webhooks-1"
"""Name and version of the checkpoints of the process that tells webhooks."""


def seconds_behind(store: EventStore, progress: PartitionProgress, now: int) -> float:
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


def unprojectable_games(store: EventStore) -> dict[str, Unprojectable]:
    """The games in quarantine, with the reasons, partition by partition.

    Raises:
        StoreUnavailable
    """
    generations = Generations(store)
    found: dict[str, Unprojectable] = {}
    for partition in range(store.partitions):
        name = generation_name(generations.in_use(partition))
        found |= GameProjection(store, name).unprojectable(partition)
    return found


_LOOKS = 10


class Status(msgspec.Struct, frozen=True):
    """How the list of games is."""

    projection: str
    partitions: tuple[PartitionProgress, ...]
    lag: int
    """Feed entries, over all partitions, that are not projected yet."""
    seconds_behind: float
    """How long the oldest of them has been waiting."""
    quarantined: dict[str, Unprojectable]

    @classmethod
    def of(cls, store: EventStore) -> Self:
        """How it is in this store now; may raise StoreUnavailable."""
        found = projection_progress(store)
        now = now_milliseconds()
        return cls(
            GAMES,
            found,
            sum(each.lag for each in found),
            max(seconds_behind(store, each, now) for each in found),
            unprojectable_games(store),
        )

    @property
    def is_well(self) -> bool:
        """Whether every game can be read and no partition is ahead of its feed. A lag is no fault."""
        return not self.quarantined and not any(each.is_ahead for each in self.partitions)

    def as_json(self) -> str:
        """All of it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode()

    def print(self) -> None:
        """A table of the partitions, and the games in quarantine."""
        # For the command alone: the processes of the service start sooner without it.
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415

        table = Table("partition", "generation", "position", "feed ends", "behind", "quarantined", "")
        for each in self.partitions:
            counts = (each.partition, each.generation, each.position, each.end, each.lag, each.quarantined)
            table.add_row(*map(str, counts), "ahead of its feed" if each.is_ahead else "")
        console = Console()
        console.print(table)
        for game, why in self.quarantined.items():
            line = f"{game}: played to version {why.version}: {why.reason}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        seconds = f", the oldest for {self.seconds_behind:.0f} s" if self.lag else ""
        console.print(f"{GAMES}: {self.lag} feed entries behind{seconds}", highlight=False)
