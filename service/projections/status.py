"""How the projections are: by partition, and which games are in quarantine, for people and as JSON."""

from typing import Self

import msgspec
from rich.console import Console
from rich.table import Table

from events.redis_store import RedisEventStore
from service.clock import now_milliseconds
from service.progress import PartitionProgress, projection_progress, quarantined_games, seconds_behind
from service.projections.game_projection import Quarantined
from service.projections.generations import GAMES


class Status(msgspec.Struct, frozen=True):
    """How the list of games is."""

    projection: str
    partitions: tuple[PartitionProgress, ...]
    lag: int
    """Feed entries, over all partitions, that are not projected yet."""
    seconds_behind: float
    """How long the oldest of them has been waiting."""
    quarantined: dict[str, Quarantined]

    @classmethod
    def of(cls, store: RedisEventStore) -> Self:
        """How it is in this store now; may raise StoreUnavailable."""
        found = projection_progress(store)
        now = now_milliseconds()
        return cls(
            GAMES,
            found,
            sum(each.lag for each in found),
            max(seconds_behind(store, each, now) for each in found),
            quarantined_games(store),
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
