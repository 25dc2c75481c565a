"""Building a read model anew beside the one that is read, and switching to it.

The projector goes on with the old generation meanwhile. The new one has checkpoints of its own, so a rebuild that was
killed goes on where it stood. In each partition the switch is one step, taken when the new generation knows all that
the old one does, so the list never misses a game; from then on the projector goes on with the new one. Nothing else
happens: no validation is asked for of a game that has its report.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from events.store.errors import CheckpointMoved
from events.store.event_store import EventStore
from service.projections.game_projection import GameProjection
from service.projections.projection import Projection
from service.projections.store import Generations

BATCH: Final = 2000
"""Feed entries of one step: the more there are, the more of a game is read at once."""


class GamesUnprojectable(Exception):
    """The new generation has games in quarantine that can be read in the old one; `games` says why."""

    def __init__(self, games: dict[str, str]) -> None:
        """Name the games and the reasons."""
        super().__init__(f"{len(games)} games of the list could not be read again.")
        self.games = games


class Progress(msgspec.Struct, frozen=True):
    """How far a rebuild is, in feed entries over all partitions."""

    done: int
    total: int


class Rebuild:
    """Builds the next generation; every method may raise StoreUnavailable, and StoreDamaged of a feed."""

    def __init__(self, store: EventStore, projection: type[Projection] = GameProjection) -> None:
        """Go on with the generation of a read model that an earlier run began, or begin one."""
        self._store = store
        self._kind = projection
        self._generations = Generations(store, projection.shape)
        in_use = [self._generations.in_use(partition) for partition in range(store.partitions)]
        # Where a run was killed between two switches, some partitions are there already.
        self.generation: Final = max(in_use) + (1 if min(in_use) == max(in_use) else 0)
        self.projection: Final = projection(store, self._generations.name(self.generation))

    def begin_anew(self) -> None:
        """Throw away what an earlier run has built and not brought into use."""
        for partition in self._to_switch():
            self._generations.remove(partition, self._generations.name(self.generation))

    def progress(self) -> Progress:
        """How far it is."""
        done = sum(self.projection.position(partition) for partition in range(self._store.partitions))
        total = sum(self._store.feed_end(partition) for partition in range(self._store.partitions))
        return Progress(done, max(done, total))

    def build(self, told: Callable[[Progress], object]) -> None:
        """Project everything that the feeds hold; `told` is called with the progress after each step."""
        done, total = (progress := self.progress()).done, progress.total
        told(progress)
        for partition in self._to_switch():
            while applied := self._step(partition):
                done += applied
                told(Progress(done, max(done, total)))

    def check(self) -> None:
        """Refuse what would be listed with less than now.

        Raises:
            GamesUnprojectable
        """
        found: dict[str, str] = {}
        for partition in self._to_switch():
            in_use = self._generations.name(self._generations.in_use(partition))
            known = self._kind(self._store, in_use).unprojectable(partition)
            quarantine = self.projection.unprojectable(partition)
            found |= {game: each.reason for game, each in quarantine.items() if game not in known}
        if found:
            raise GamesUnprojectable(found)

    def switch(self) -> None:
        """Bring the new generation into use, and throw the old ones away."""
        for partition in self._to_switch():
            old = self._generations.in_use(partition)
            while old != self.generation:
                if self._generations.switch(partition, old, self.generation) is None:
                    break
                while self._step(partition):
                    pass
        for partition in range(self._store.partitions):
            self._generations.remove_older(partition)

    def _to_switch(self) -> list[int]:
        partitions = range(self._store.partitions)
        return [each for each in partitions if self._generations.in_use(each) < self.generation]

    def _step(self, partition: int) -> int:
        """Project some entries; how many there were, 0 at the end."""
        before = self.projection.position(partition)
        try:
            applied = self.projection.advance(partition, BATCH)
        except CheckpointMoved as moved:
            # Another run builds the same generation; one of the two is enough.
            return max(1, moved.actual - before)
        return applied.position - before if applied is not None else 0
