"""What a read model declares: its name and keys, and what it makes of a batch of a feed.

The projector runs all that `service.projections.declared` names, each from a checkpoint of its own, which moves in
the step that applies the writes. `fieldbook projections rebuild` builds each anew beside the one that is
read, as a new generation. What is written has to follow from feeds and logs alone, so that both come to the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from events.store.event_store import EventStore, FeedEntry
from service.feeds.feed_batch import check_gapless, read_batch
from service.projections.generations import Shape
from service.storage.checkpoints import Checkpoints, Write


class Applied(msgspec.Struct, frozen=True):
    """What one step has changed."""

    position: int
    """Where the checkpoint stands now."""
    finished: tuple[tuple[str, int], ...] = ()
    """Games, with their versions, that have become due for validation."""
    unprojectable: tuple[tuple[str, str], ...] = ()
    """Games, with the reason, that cannot be read from now on, or not for another reason than before."""
    released: tuple[str, ...] = ()
    """Games that can be read again."""


class Projection:
    """A read model in one generation; every method may raise StoreUnavailable.

    A new one sets `title` and `shape`, and says in `writes` what a batch changes.
    """

    title: ClassVar[str]
    """What people call it, at the beginning of a sentence."""
    shape: ClassVar[Shape]
    """Under which names it is kept."""

    def __init__(self, store: EventStore, generation: str) -> None:
        """Project what is in this store into the generation of this name."""
        self._store = store
        self._name = generation
        self._checkpoints = Checkpoints(store)

    def position(self, partition: int) -> int:
        """How far a partition's feed is projected."""
        return self._checkpoints.checkpoint(partition, self._name)

    def key(self, partition: int, part: str) -> str:
        """The full name of one of its keys, for reading it."""
        return self._checkpoints.read_model_key(partition, self._name, part)

    def writes(self, partition: int, entries: Sequence[FeedEntry]) -> list[Write]:
        """What these entries of a partition's feed change.

        What was written before may be read for it: the writes are applied only where nobody else has projected in
        between.
        """
        raise NotImplementedError

    def apply(self, partition: int, position: int, entries: Sequence[FeedEntry]) -> Applied:
        """Apply the entries behind a position, and move the checkpoint with them.

        Raises:
            CheckpointMoved: another process was faster; nothing was applied.
        """
        end = entries[-1].position
        self._checkpoints.project(partition, self._name, position, end, self.writes(partition, entries))
        return Applied(end)

    def advance(self, partition: int, limit: int) -> Applied | None:
        """Apply the next entries of a partition's feed, at most `limit`; None when there are none.

        Raises:
            CheckpointMoved: another process was faster; nothing was applied.
            StoreDamaged: the feed does not hold together.
        """
        position = self.position(partition)
        entries = read_batch(self._store, partition, position, limit)
        check_gapless(partition, position, entries)
        return self.apply(partition, position, entries) if entries else None

    def retry(self, partition: int) -> Applied:
        """Read what could not be read once more; the checkpoint stays where it is."""
        return Applied(self.position(partition))

    def unprojectable(self, partition: int) -> Mapping[str, Any]:
        """The games that could not be read as far as they were played, each with a `reason`."""
        del partition
        return {}
