"""How far the commands of one request lead on a table: to their end, or to the first that is refused.

Nothing is stored here; `service.play.command_handling` appends what was decided.

A dry run, and a command of several whose successor may still be refused, must not show hidden cards: whoever could
try and take back would look under every card. So only what a player knows beforehand may be shown or rolled back;
an event that does not declare itself foreseeable counts as one that may turn something up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from events.commands import Command
from events.domain_events import ForeseeableEvent
from events.game.table import Table
from events.log.actors import actor_name
from events.log.codec import EVENT_TYPES
from events.log.disclosure import Disclosure
from events.log.recorded import RecordedEvent
from events.rules.errors import RuleViolation
from events.rules.move import Earlier, nothing_earlier
from service.play.absence import check_presence
from service.play.budgets import check_budget
from service.play.lost_time import give_back
from service.play.tables import LoadedGame
from service.storage.life_marks import Gap

FORESEEABLE = frozenset(name for name, event in EVENT_TYPES.items() if issubclass(event, ForeseeableEvent))
"""The types of events that declare it."""


def reveals_nothing_hidden(entries: Iterable[RecordedEvent]) -> bool:
    """Whether a player knew all of this before it happened."""
    return all(entry.type in FORESEEABLE for entry in entries)


class Stale(Exception):
    """The version that the caller decided on is not the game's.

    Attributes:
        loaded: the game as it stands.
    """

    def __init__(self, loaded: LoadedGame) -> None:
        """Keep the game as it stands, for the answer."""
        super().__init__("the game has moved on")
        self.loaded = loaded


class Refused(Exception):
    """The rules refuse a command; it left no trace.

    Attributes:
        violation: why.
        table: the table that it was decided on.
        place: which command of several it was, from 0.
        version: the game's version; an earlier one than the table's where commands before it do not stand either.
    """

    def __init__(
        self, violation: RuleViolation, table: Table, place: int, version: int | None = None
    ) -> None:
        """Keep what the answer explains."""
        super().__init__(str(violation))
        self.violation = violation
        self.table = table
        self.place = place
        self.version = table.version if version is None else version


class HiddenInformationRevealed(Exception):
    """A command of several follows one that may turn up hidden cards; it left no trace.

    Were both decided together, a refusal of the later one would have shown cards and put them back; and who sends
    it has not seen yet what it answers to.

    Attributes:
        place: which command it was that follows, from 0.
        table: what the sender may know of the table, now or before the commands that do not stand.
    """

    def __init__(self, place: int, table: Table) -> None:
        """Keep what the answer explains."""
        super().__init__("hidden cards were turned up")
        self.place = place
        self.table = table


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what: one or more commands, applied in one step up to the first that is refused.

    Where it is `atomic` they are applied together or not at all. `arrived` is in milliseconds since the epoch. `id`
    and `fingerprint` make a repeated request known. `expected` is the version and hash prefix that the caller
    decided on, if they insist on it. `private` is stored in the same step beside the log; `required` are
    private fields that must have these values then. Whoever `stands_in` plays a seat that somebody has left.
    """

    actor: int
    commands: Sequence[Command]
    arrived: int
    id: str
    fingerprint: str
    expected: tuple[int, str] | None = None
    private: Mapping[str, str] = field(default_factory=dict)
    required: Mapping[str, str] = field(default_factory=dict)
    atomic: bool = False
    stands_in: bool = False

    @property
    def command_id(self) -> str:
        """What the store remembers the request by: ids of different actors never meet."""
        return f"{actor_name(self.actor)}:{self.id}"


@dataclass(frozen=True, slots=True)
class BatchDecision:
    """How far a request's commands lead: the table there, its entries, how many count, and why no more do."""

    table: Table
    entries: list[RecordedEvent]
    disclosures: list[Disclosure]
    """What the entries show to whom."""
    applied: int
    stopped: Refused | HiddenInformationRevealed | None = None


def decide_batch(
    loaded: LoadedGame, request: Request, earlier: Earlier = nothing_earlier, gaps: Iterable[Gap] = ()
) -> BatchDecision:
    """Decide a request on a table; `earlier` finds those that the game can go back to.

    What was lost in `gaps` is given back first, and counts only together with the first of its commands.

    Raises:
        Stale: it insists on another version.
        Refused, HiddenInformationRevealed: its first command is refused or, where it is atomic, any.
    """
    table = loaded.table
    if request.expected is not None:
        version, prefix = request.expected
        if version != table.version or not table.hash.startswith(prefix):
            raise Stale(loaded)
    table, disclosures = give_back(table, max(request.arrived, table.log.at), gaps)
    entries = [each.recorded for each in disclosures]
    for place in range(len(request.commands)):
        following = decide_next(table, entries, request, place, earlier)
        if following.stopped is None:
            table = following.table
            entries += following.entries
            disclosures += following.disclosures
        elif place and not request.atomic:
            return BatchDecision(table, entries, disclosures, place, following.stopped)
        else:
            raise _undo_before(following.stopped, loaded.table)
    return BatchDecision(table, entries, disclosures, len(request.commands))


def decide_next(
    table: Table,
    entries: Sequence[RecordedEvent],
    request: Request,
    place: int,
    earlier: Earlier = nothing_earlier,
) -> BatchDecision:
    """One command of a request, on the table and after the entries that those before it led to.

    What the game's log has no room for is refused as the rules refuse.
    """
    if entries and not reveals_nothing_hidden(entries):
        return BatchDecision(table, [], [], 0, HiddenInformationRevealed(place, table))
    try:
        if not request.stands_in:
            check_presence(table, request.actor, request.commands[place])
        check_budget(table, request.actor, request.commands[place], earlier)
        # Clocks of several machines differ, and a log never goes back.
        arrived = max(request.arrived, table.log.at)
        after, more = table.disclose(request.actor, request.commands[place], arrived, earlier)
    except RuleViolation as violation:
        return BatchDecision(table, [], [], 0, Refused(violation, table, place))
    return BatchDecision(after, [each.recorded for each in more], more, 1)


def _undo_before(
    stopped: Refused | HiddenInformationRevealed, before: Table
) -> Refused | HiddenInformationRevealed:
    """The same, where the commands before it do not stand either: what they turned up is not told."""
    if isinstance(stopped, HiddenInformationRevealed):
        return HiddenInformationRevealed(stopped.place, before)
    return Refused(stopped.violation, stopped.table, stopped.place, before.version)
