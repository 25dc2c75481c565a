"""What a log says beyond its table: how large it is, what each seat has sent freely, and where the game went back.

What the rules themselves bring to an end needs no counting: cards run out. What a seat can send again and again
without the game moving on is counted (talk, offers and their answers, swaps of a hand, questions to take back or to
end the game), so that who accepts commands can put an end to it. The rules do not know these figures.
"""

from collections import deque
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from events.domain_events import DomainEvent, GameCreated, GameRewound
from events.game.clock import Clock, begin_clock
from events.log.actors import ACTOR_NUMBERS
from events.log.codec import EVENT_TYPES
from events.log.recorded import RecordedEvent
from events.rules.table.state import GameState


class Spent(NamedTuple):
    """What a seat has sent freely in a game."""

    talk: int = 0
    """Messages."""
    trading: int = 0
    """Offers, answers to them that trade nothing, and swaps of a hand."""
    questions: int = 0
    """Questions to take something back, and offers to end the game."""
    size: int = 0
    """Bytes of all these entries' events and commands."""


class Rewound(NamedTuple):
    """An entry with which the game went back."""

    version: int
    to_version: int
    by_consent: bool
    """Rather than by a ruling."""
    redealt: bool
    """Whether cards of a pile had been seen, and it was shuffled anew."""


_NOTHING: Final = Spent()
MOST_WHOLE: Final = 64
"""So many of the last versions behind whole commands are kept in mind."""
TALK: Final = "talked"
"""The type of an entry that is no more than talk."""
_STARTED: Final = "game_started"
REWOUND: Final = "game_rewound"
"""The type of an entry by which the game goes back."""
_TURNS: Final = frozenset({"game_created", _STARTED, REWOUND})
"""What happens to a game as a whole, but for its end."""
_FREE: Final = MappingProxyType(
    {
        TALK: Spent(talk=1),
        "offer_made": Spent(trading=1),
        "offer_declined": Spent(trading=1),
        "offer_withdrawn": Spent(trading=1),
        "hand_swapped": Spent(trading=1),
        "take_back_asked": Spent(questions=1),
        "end_offered": Spent(questions=1),
    }
)
"""What the first entry of a command counts, by its type; all others need cards, coins or somebody else's command."""


_LISTS: Final = MappingProxyType(
    {
        tag: tuple(f'"{name}":'.encode() for name in struct.private)
        for tag, struct in EVENT_TYPES.items()
        if struct.private
    }
)
"""Where private values stand in the data of an event, by its type."""


def count_hidden(entry: RecordedEvent) -> int:
    """How many single values of an entry's event and command are hidden from somebody."""
    if entry.type not in _LISTS:
        return 0
    found = 1  # the command hides one value as a whole
    for name in _LISTS[entry.type]:
        _, named, rest = entry.data.partition(name)
        if named:
            found += 1 + (rest.partition(b"]")[0].count(b",") if rest[:1] == b"[" else 0)
    return found


class LogFacts(msgspec.Struct, frozen=True):
    """The facts about a log up to a version."""

    size: int = 0
    """Bytes of all entries' events and commands."""
    opened: int = 0
    """The last version at which the game was open, once it has started."""
    rewound: tuple[Rewound, ...] = ()
    spent: tuple[Spent, ...] = ()
    """By seat, up to the last one that has spent anything."""
    whole: tuple[int, ...] = ()
    """The last versions behind a whole command that was more than talk, oldest first; without the last one of all."""
    all_since: int = 1
    """From this version on those are all of them."""
    at: int = 0
    """When the last command arrived: milliseconds since 1970-01-01 UTC."""
    talked: bool = True
    """Whether the last entry is no more than talk; before the first one there is nothing to go back to either."""
    hidden: int = 0
    """How many single values are hidden from somebody: a record takes more for each of them."""
    clock: Clock | None = None
    """Whose time runs; None in a game without a clock."""
    close_after: int | None = None
    """After so many seconds without an entry the host may close the game."""

    def after(self, entry: RecordedEvent, event: DomainEvent, state: GameState) -> "LogFacts":
        """The facts once this entry follows; it holds this event, and `state` is the table after it."""
        counter = LogCounter(self)
        counter.add(entry, event, state)
        return counter.facts()

    def spent_by(self, seat: int) -> Spent:
        """What a seat has spent."""
        return self.spent[seat] if seat < len(self.spent) else _NOTHING

    def counts(self, version: int) -> bool:
        """Whether a version is on the way that counts, and in no stretch that was discarded."""
        return not any(each.to_version < version < each.version for each in self.rewound)


EMPTY: Final = LogFacts()
"""Those of a log without an entry."""


class LogCounter:
    """Counts along the entries of a log, whose facts are made once, at the end, and not for each of them."""

    __slots__ = (
        *("_all_since", "_at", "_clock", "_close_after", "_hidden", "_opened"),
        *("_rewound", "_size", "_spent", "_talked", "_whole"),
    )

    def __init__(self, facts: LogFacts = EMPTY) -> None:
        """Go on behind a log with these facts."""
        self._size, self._hidden, self._at, self._talked = facts.size, facts.hidden, facts.at, facts.talked
        self._opened, self._rewound, self._spent = facts.opened, facts.rewound, facts.spent
        self._whole, self._all_since = deque(facts.whole, MOST_WHOLE), facts.all_since
        self._clock, self._close_after = facts.clock, facts.close_after

    def add(self, entry: RecordedEvent, event: DomainEvent, state: GameState) -> None:
        """Count the next entry; it holds this event, and `state` is the table after it."""
        kind, command = entry.type, entry.command
        self._size += len(entry.data) + len(command)
        self._at = max(self._at, entry.at)
        if command:
            if not self._talked:
                self._end_command(entry.version - 1)
            if kind in _FREE:
                self._spend(entry)
        if kind in _LISTS:
            self._hidden += count_hidden(entry)
        if self._clock is not None:
            self._clock = self._clock.after(entry.at, event, state)
        if kind in _TURNS:
            self._turn(entry.version, event)
        self._talked = kind == TALK

    def _end_command(self, version: int) -> None:
        """A whole command that was more than talk ended with this version."""
        is_full = len(self._whole) == MOST_WHOLE
        self._whole.append(version)
        if is_full:
            self._all_since = self._whole[0]

    def _spend(self, entry: RecordedEvent) -> None:
        seat, counts = ACTOR_NUMBERS[entry.actor], _FREE[entry.type]
        found = [*self._spent, *([_NOTHING] * (seat + 1 - len(self._spent)))]
        size = len(entry.data) + len(entry.command)
        found[seat] = Spent(
            *(was + more for was, more in zip(found[seat], counts._replace(size=size), strict=True))
        )
        self._spent = tuple(found)

    def _turn(self, version: int, event: DomainEvent) -> None:
        """The game was set up, begun, or taken back to an earlier version."""
        if isinstance(event, GameCreated):
            self._clock, self._close_after = begin_clock(event), event.close_after
        elif isinstance(event, GameRewound):
            here = Rewound(version, event.to_version, not event.case, bool(event.redeal))
            self._rewound = (*self._rewound, here)
        else:
            self._opened = version - 1

    def facts(self) -> LogFacts:
        """The facts about all of it."""
        return LogFacts(
            size=self._size,
            opened=self._opened,
            rewound=self._rewound,
            spent=self._spent,
            whole=tuple(self._whole),
            all_since=self._all_since,
            at=self._at,
            talked=self._talked,
            hidden=self._hidden,
            clock=self._clock,
            close_after=self._close_after,
        )
