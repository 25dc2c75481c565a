"""Comparing the list of games with one that is built anew from feeds and logs at the same position, byte for byte."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from events.store.errors import CheckpointMoved, StoreUnavailable
from events.store.event_store import EventStore
from service.projections.game_projection import GameProjection
from service.projections.generations import DUE, GAMES, PARTS, generation_name
from service.projections.store import Generations, ReadModelRecords
from service.storage.checkpoints import Checkpoints
from service.verification.store import PENDING, Validations

SCRATCH: Final = f"{GAMES}.compared"
"""Name of the generation that is built for the comparison and thrown away after it."""
_BATCH: Final = 2000
_TRIES: Final = 50
_LOOKS: Final = 3


class Difference(msgspec.Struct, frozen=True):
    """One thing that the two say differently."""

    partition: int
    part: str
    """The key's part, such as `games` or `status:open`."""
    member: str
    """Most often a game."""
    listed: str | None
    """What the list has; None where it has nothing."""
    rebuilt: str | None
    """What was computed again."""


class Comparison:
    """Compares the generation in use; every method may raise StoreUnavailable, and StoreDamaged of a feed."""

    def __init__(self, store: EventStore) -> None:
        """Compare the list that is kept in this store."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._generations = Generations(store)
        self._records = ReadModelRecords(store)
        self._validations = Validations(store)
        self._scratch = GameProjection(store, SCRATCH)

    def run(self, told: Callable[[int], object]) -> Iterator[Difference]:
        """All differences; `told` is called after each partition, with the feed entries that were projected again."""
        for partition in range(self._store.partitions):
            self._generations.remove(partition, SCRATCH)
            try:
                differences = self._differences(partition)
                # A game that leaves quarantine moves the list, and no checkpoint: so a difference is looked at again.
                for _ in range(_LOOKS - 1):
                    if not differences:
                        break
                    self._generations.remove(partition, SCRATCH)
                    differences = self._differences(partition)
                yield from differences
                told(self._scratch.position(partition))
            finally:
                self._generations.remove(partition, SCRATCH)

    def _differences(self, partition: int) -> list[Difference]:
        for _ in range(_TRIES):
            name = generation_name(self._generations.in_use(partition))
            position = self._checkpoints.checkpoint(partition, name)
            self._build(partition, position)
            listed = self._content(partition, name)
            rebuilt = self._content(partition, SCRATCH)
            now = generation_name(self._generations.in_use(partition))
            if (now, self._checkpoints.checkpoint(partition, name)) == (name, position):
                filled = {part for part, _ in listed.keys() | rebuilt.keys()}
                return [
                    Difference(partition, *where, _show(listed.get(where)), _show(rebuilt.get(where)))
                    for where in sorted(listed.keys() | rebuilt.keys())
                    # Which sets were filled for a while, and have their names kept, depends on the batches.
                    if listed.get(where) != rebuilt.get(where) and (where[0] != PARTS or where[1] in filled)
                ]
        raise StoreUnavailable(f"Partition {partition} moves too fast to be compared; try again.")

    def _build(self, partition: int, position: int) -> None:
        """Project up to exactly this position."""
        while (reached := self._scratch.position(partition)) < position:
            try:
                if self._scratch.advance(partition, min(_BATCH, position - reached)) is None:
                    return
            except CheckpointMoved:
                continue

    def _content(self, partition: int, name: str) -> dict[tuple[str, str], bytes]:
        """All that a generation holds: by part and member, the bytes of value or score."""
        found: dict[tuple[str, str], bytes] = {}
        for part in self._generations.parts(partition, name):
            for member, value in self._records.content(partition, name, part):
                found[part, member] = value
        return self._without_judged(partition, found)

    def _without_judged(
        self, partition: int, content: dict[tuple[str, str], bytes]
    ) -> dict[tuple[str, str], bytes]:
        """Without the games that have their report and are still due: the next sweep takes them out."""
        due = [member for part, member in content if part == DUE]
        if not due:
            return content
        verdicts = dict(zip(due, self._validations.verdicts(partition, due), strict=True))
        return {
            (part, member): value
            for (part, member), value in content.items()
            if part != DUE or verdicts[member] == PENDING
        }


def _show(value: bytes | None) -> str | None:
    return value.decode(errors="replace") if value is not None else None
