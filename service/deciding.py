"""How far the commands of one request lead on a table: to their end, or to the first that is refused.

Nothing is stored here; `service.command_handling` appends what was decided.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from events.actors import actor_name
from events.commands import Command
from events.recorded import RecordedEvent
from events.rules.errors import RuleViolation
from events.rules.move import Earlier, nothing_earlier
from events.table import Table
from service.foreseeable import foreseeable
from service.tables import Sitting


class Stale(Exception):
    """The version that the caller decided on is not the game's.

    Attributes:
        sitting: the game as it stands.
    """

    def __init__(self, sitting: Sitting) -> None:
        """Keep the game as it stands, for the answer."""
        super().__init__("the game has moved on")
        self.sitting = sitting


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


class TurnedUp(Exception):
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
    private fields that must have these values then.
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

    @property
    def command_id(self) -> str:
        """What the store remembers the request by: ids of different actors never meet."""
        return f"{actor_name(self.actor)}:{self.id}"


@dataclass(frozen=True, slots=True)
class Decided:
    """How far a request's commands lead: the table there, its entries, how many count, and why no more do."""

    table: Table
    entries: list[RecordedEvent]
    applied: int
    stopped: Refused | TurnedUp | None = None


def decided(sitting: Sitting, request: Request, earlier: Earlier = nothing_earlier) -> Decided:
    """Decide a request on a table; `earlier` finds those that the game can go back to.

    Raises:
        Stale: it insists on another version.
        Refused, TurnedUp: its first command is refused or, where it is atomic, any.
    """
    table = sitting.table
    if request.expected is not None:
        version, prefix = request.expected
        if version != table.version or not table.hash.startswith(prefix):
            raise Stale(sitting)
    entries: list[RecordedEvent] = []
    for place in range(len(request.commands)):
        following = next_decided(table, entries, request, place, earlier)
        if following.stopped is None:
            table = following.table
            entries += following.entries
        elif place and not request.atomic:
            return Decided(table, entries, place, following.stopped)
        else:
            raise _undone(following.stopped, sitting.table)
    return Decided(table, entries, len(request.commands))


def next_decided(
    table: Table,
    entries: Sequence[RecordedEvent],
    request: Request,
    place: int,
    earlier: Earlier = nothing_earlier,
) -> Decided:
    """One command of a request, on the table and after the entries that those before it led to."""
    if not foreseeable(entries):
        return Decided(table, [], 0, TurnedUp(place, table))
    try:
        after, more = table.submit(request.actor, request.commands[place], request.arrived, earlier)
    except RuleViolation as violation:
        return Decided(table, [], 0, Refused(violation, table, place))
    return Decided(after, more, 1)


def _undone(stopped: Refused | TurnedUp, before: Table) -> Refused | TurnedUp:
    """The same, where the commands before it do not stand either: what they turned up is not told."""
    if isinstance(stopped, TurnedUp):
        return TurnedUp(stopped.place, before)
    return Refused(stopped.violation, stopped.table, stopped.place, before.version)
