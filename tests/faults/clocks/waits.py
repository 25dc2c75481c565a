"""What a log says of time, taken apart: for whom the game waited and how long, what was given back, what expired."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from events import domain_events as e
from events.game.clock import Clock, Wait
from events.game.log_facts import EMPTY
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE


class Credit(NamedTuple):
    """Time that was given back, and by which entry."""

    version: int
    at: int
    since: int
    until: int


class Expiry(NamedTuple):
    """Time that was over, and the entry that says so."""

    version: int
    at: int
    seat: int
    offer: int | None
    deadline: int

    @property
    def name(self) -> tuple[int, int | None, int]:
        """Of what it is."""
        return self.seat, self.offer, self.deadline


@dataclass(frozen=True, slots=True)
class Awaiting:
    """One thing that a game waited for; all moments are milliseconds since the epoch."""

    seat: int
    offer: int | None
    since: int
    deadline: int
    over_at: int
    """With the grace and all that was given back."""
    ended: int | None
    """None where the log ends before."""
    version: int
    """Of the entry that ended it; the last one of the log where none did."""

    @property
    def name(self) -> tuple[int, int | None, int]:
        """What an expiry says of it."""
        return self.seat, self.offer, self.deadline


@dataclass(frozen=True, slots=True)
class TimeOfGame:
    """What a log says of time."""

    waits: tuple[Awaiting, ...]
    credits: tuple[Credit, ...]
    expiries: tuple[Expiry, ...]


def read_time(entries: Sequence[RecordedEvent]) -> TimeOfGame:
    """Take a log apart, from its first entry on."""
    state, facts = INITIAL_STATE, EMPTY
    running: dict[tuple[int, int | None, int], Wait] = {}
    waits: list[Awaiting] = []
    given: list[Credit] = []
    expiries: list[Expiry] = []
    for entry in entries:
        event = decode_event(entry)
        state = evolve(state, event)
        facts = facts.after(entry, event, state)
        clock = facts.clock
        if isinstance(event, e.TimeCredited):
            given.append(Credit(entry.version, entry.at, event.since, event.until))
        elif isinstance(event, e.TimeExpired):
            expiries.append(Expiry(entry.version, entry.at, event.seat, event.offer, event.deadline))
        if clock is not None:
            now = {(each.awaited.seat, each.awaited.offer, each.since): each for each in clock.waits}
            waits += [
                _awaiting(clock, running[name], entry, entry.at) for name in running.keys() - now.keys()
            ]
            running = now
    if facts.clock is not None:
        waits += [_awaiting(facts.clock, wait, entries[-1], None) for wait in running.values()]
    return TimeOfGame(tuple(waits), tuple(given), tuple(expiries))


def _awaiting(clock: Clock, wait: Wait, entry: RecordedEvent, ended: int | None) -> Awaiting:
    """A wait that an entry ended, or that runs at the end of the log."""
    seat, offer = wait.awaited.seat, wait.awaited.offer
    return Awaiting(seat, offer, wait.since, wait.deadline, clock.over_at(wait), ended, entry.version)
