"""What a log knows about time around one of its versions: for whoever has to judge whether time was over."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from events import domain_events as e
from events.game.clock import Clock, begin_clock
from events.rules.table.state import GameState

MOST_TOLD: Final = 20
"""Of what expired or was given back, so many of the last before the version, and of the first after it."""


class Moment(NamedTuple):
    """An entry as far as the time is concerned."""

    version: int
    at: int
    """When it was recorded, as every time here in milliseconds since the epoch."""
    event: e.DomainEvent
    state: GameState
    """The table after it."""


class Running(msgspec.Struct, frozen=True):
    """Something that the game waited for."""

    seat: int
    offer: int | None
    """The offer that was to be answered; None for a move."""
    kind: str
    """`bank` or `answer`."""
    since: int
    credited: int
    """Milliseconds of that time which were given back."""
    deadline: int
    over_at: int
    """With the grace."""


class Told(msgspec.Struct, frozen=True):
    """An entry in the clock's name: `expired` of a seat at `until`, or `credited` from `since` to `until`."""

    version: int
    at: int
    what: str
    until: int
    since: int | None = None
    seat: int | None = None
    offer: int | None = None
    reason: str = ""


class TimeExplained(msgspec.Struct, frozen=True):
    """What a log knows about time around a version."""

    version: int
    arrived: int
    """When the command of this version came."""
    banks: tuple[int, ...]
    """What each seat had when its bank ran last, before that; milliseconds."""
    running: tuple[Running, ...]
    """What the game waited for before that."""
    told: tuple[Told, ...]
    """What expired and was given back around it."""


def explain_time(moments: Iterable[Moment], version: int) -> TimeExplained | None:
    """What the log knows about time around a version; None in a game without a clock, or where it is not that long.

    The entries are those from the first one on.
    """
    clock: Clock | None = None
    found: TimeExplained | None = None
    before: list[Told] = []
    after: list[Told] = []
    for moment in moments:
        if moment.version == version and clock is not None:
            running = tuple(
                Running(*wait.awaited[:3], wait.since, wait.credited, wait.deadline, clock.over_at(wait))
                for wait in clock.waits
            )
            found = TimeExplained(version, moment.at, clock.banks_left, running, ())
        told = _told(moment)
        if told is not None:
            (before if moment.version <= version else after).append(told)
        if clock is not None:
            clock = clock.after(moment.at, moment.event, moment.state)
        elif isinstance(moment.event, e.GameCreated):
            clock = begin_clock(moment.event)
    if found is None:
        return None
    return msgspec.structs.replace(found, told=(*before[-MOST_TOLD:], *after[:MOST_TOLD]))


def _told(moment: Moment) -> Told | None:
    match moment.event:
        case e.TimeExpired(seat=seat, deadline=deadline, offer=offer):
            return Told(moment.version, moment.at, "expired", deadline, seat=seat, offer=offer)
        case e.TimeCredited(since=since, until=until, reason=reason):
            return Told(moment.version, moment.at, "credited", until, since, reason=reason)
    return None
