"""What the bots of each game remember of it, as long as this process plays there."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from events.bots.memory import BotMemory
from events.game.table import Table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.store.event_store import EventStore

AT_ONCE: Final = 1_024
"""Entries read together."""
GAMES: Final = 500
"""Games whose bots' memories are kept; of others they are made again from the log."""
GAMES_OF_PEOPLE: Final = 20_000
"""Games without a bot that are known as such; others are looked at once more."""

_TAKEN_OVER: Final = "seat_taken_over"
"""The type of an entry by which a bot gets a seat."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the bots of a game remember, up to a version, and when its last event happened."""

    version: int = 0
    at: int = 0
    memory: BotMemory = field(default_factory=BotMemory)

    def follow(self, entries: Sequence[RecordedEvent]) -> "Remembered":
        """Remember these further entries too."""
        if not entries:
            return self
        memory = self.memory.follow(decode_event(entry) for entry in entries)
        return Remembered(entries[-1].version, entries[-1].at, memory)


class BotMemories:
    """The memories of the games of a store, and which games need none."""

    def __init__(self, store: EventStore) -> None:
        """Read what was missed from this store."""
        self._store = store
        self._kept: OrderedDict[str, Remembered] = OrderedDict()
        self._of_people: dict[str, int] = {}
        """Games without a bot, and up to which version."""

    def forget_all(self) -> None:
        """Begin anew: the store may have lost something."""
        self._kept.clear()
        self._of_people.clear()

    def is_news(self, game: str, version: int, appended: int) -> bool:
        """Whether bots may have something to do in a game that has come to this version, by so many entries.

        A bot gets a seat that somebody has left by a command of more than one entry.
        """
        if game in self._of_people:
            return appended > 1
        known = self._kept.get(game)
        return known is None or known.version < version

    def of(self, table: Table) -> Remembered:
        """What the bots of a game remember at this table's version, or at a later one.

        Raises:
            StoreUnavailable
        """
        known = self._kept.get(table.game, Remembered())
        while known.version < table.version:
            missed = min(table.version - known.version, AT_ONCE)
            known = known.follow(self._store.read(table.game, known.version, missed))
        return self.keep(table.game, known)

    def keep(self, game: str, remembered: Remembered) -> Remembered:
        """Keep what the bots of a game remember."""
        self._kept[game] = remembered
        self._kept.move_to_end(game)
        while len(self._kept) > GAMES:
            self._kept.popitem(last=False)
        return remembered

    def leave_to_people(self, game: str, version: int) -> None:
        """Look at a game no more until somebody leaves it: at this version it has begun, and has no bot."""
        if len(self._of_people) >= GAMES_OF_PEOPLE:
            self._of_people.clear()
        self._of_people[game] = version

    def is_left_to_people(self, game: str) -> bool:
        """Whether nobody has left a game since it was left to people; read in its log, which is not folded for it.

        Raises:
            StoreUnavailable
        """
        while game in self._of_people:
            entries = self._store.read(game, self._of_people[game], AT_ONCE)
            if any(entry.type == _TAKEN_OVER for entry in entries):
                del self._of_people[game]
            elif len(entries) < AT_ONCE:
                self._of_people[game] += len(entries)
                return True
            else:
                self._of_people[game] += len(entries)
        return False
