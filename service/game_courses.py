"""What of a stored game counts, and what has been seen since one of its versions."""

from events.disputes.facts import Seen
from events.rules.seen import seen_between
from events.store import EventStore
from replay.what_counts import WhatCounts, rewindings_in
from service.tables import Sitting, Tables


class GameCourses:
    """The courses of a store's games. Every method may raise what a store raises."""

    def __init__(self, store: EventStore, tables: Tables) -> None:
        """Read the logs of this store, whose tables these are."""
        self._store = store
        self._tables = tables

    def counts(self, sitting: Sitting, version: int) -> bool:
        """Whether a version of the log is part of what counts at the sitting's version."""
        entries = self._store.read(sitting.table.game, 0, sitting.table.version)
        return version in WhatCounts(rewindings_in(entries))

    def seen(self, sitting: Sitting, to_version: int) -> tuple[Seen, ...]:
        """Where hidden cards were seen after a version, and would be known if the game went back to it."""
        earlier = self._tables.earlier(sitting)(to_version)
        if earlier is None:
            return ()
        return tuple(
            Seen(each.what, len(each.cards), each.seat) for each in seen_between(earlier, sitting.table.state)
        )
