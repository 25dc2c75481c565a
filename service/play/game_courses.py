"""What of a stored game counts, and what has been seen since one of its versions."""

from events.disputes.facts import SeenSince
from events.rules.table.seen import find_seen
from events.store.event_store import EventStore
from replay.records.effective_history import EffectiveHistory, find_rewindings
from service.play.tables import LoadedGame, Tables


class GameCourses:
    """The courses of a store's games. Every method may raise what a store raises."""

    def __init__(self, store: EventStore, tables: Tables) -> None:
        """Read the logs of this store, whose tables these are."""
        self._store = store
        self._tables = tables

    def counts(self, loaded: LoadedGame, version: int) -> bool:
        """Whether a version of the log is part of what counts at the loaded game's version."""
        entries = self._store.read(loaded.table.game, 0, loaded.table.version)
        return version in EffectiveHistory(find_rewindings(entries))

    def seen(self, loaded: LoadedGame, to_version: int) -> tuple[SeenSince, ...]:
        """Where hidden cards were seen after a version, and would be known if the game went back to it."""
        earlier = self._tables.earlier(loaded)(to_version)
        if earlier is None:
            return ()
        return tuple(
            SeenSince(each.what, len(each.cards), each.seat)
            for each in find_seen(earlier, loaded.table.state)
        )
