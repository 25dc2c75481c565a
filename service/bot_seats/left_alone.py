"""Games whose bots another release may have left alone, because it could not read them.

Releases run side by side during an upgrade, and one that is gone back to moves the bots' place in a feed past games
that it cannot read. Nothing may ever happen in such a game again before its bots act. So beside the place stands what
who has moved it there could read. Where that is not what this release can read, the games that go on are looked at.
"""

from typing import Final

from events.store.event_store import EventStore
from service.projections.generations import QUARANTINED, generation_name, status_part
from service.projections.progress import BOTS
from service.projections.store import Generations
from service.storage.checkpoints import Checkpoints, Write
from service.verification.readable import readable_here

_READER: Final = "reader"
_GOING_ON: Final = (status_part("running"), QUARANTINED)
"""Of a game in quarantine the list does not know whether it goes on."""


class GamesLeftAlone:
    """Finds them, partition by partition; every method may raise what the store raises."""

    def __init__(self, store: EventStore) -> None:
        """Look in this store."""
        self._checkpoints = Checkpoints(store)
        self._generations = Generations(store)

    def sign(self, position: int) -> Write:
        """What is written with the place when it moves to this position."""
        return Write("SET", _READER, (_signature(position),))

    def since(self, partition: int, checkpoint: int) -> tuple[int, frozenset[str]]:
        """Where to begin with a feed whose place is at a checkpoint, and which games to look at besides."""
        if not checkpoint or self._checkpoints.text(partition, BOTS, _READER) == _signature(checkpoint):
            return checkpoint, frozenset()
        name = generation_name(self._generations.in_use(partition))
        # Its place first: what the list does not know by then stands in the feed behind it.
        listed = self._checkpoints.checkpoint(partition, name)
        games = [game for part in _GOING_ON for game in self._checkpoints.ranked(partition, name, part)]
        return min(checkpoint, listed), frozenset(games)


def _signature(position: int) -> str:
    return f"{readable_here()}@{position}"
