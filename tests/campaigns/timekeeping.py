"""The invariants of clocks, judged from a log and from what the campaign itself recorded of each outage.

- **No seat loses time.** While an outage certainly lasted, and a seat's time ran and was not over, the log has
  credited every millisecond of that before the wait ended. An outage of up to three and a half seconds does not count
  (docs/operating.md); and where only the projector was unavailable, who acted within three seconds has lost nothing.
- **No expiry is missed.** It is recorded within five seconds of that moment or, where an outage came between, of the
  moment at which everything worked again.
- **None happens twice**, and each is of something for which the game waited.
- **No command is refused as too late** where the log does not say so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from events import domain_events as e
from events.game.clock import Clock, Wait
from events.game.log_facts import EMPTY
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE
from service.storage.life_marks import LATEST_BEAT, LONGEST_SILENCE, SETTLING

LATEST: Final = 5_000  # milliseconds within which an expiry must be recorded
Name = tuple[int, int | None, int]  # seat, offer and deadline: how an expiry names a wait


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage as the campaign recorded it; all moments are milliseconds since the epoch.

    From `down` to `up` certainly no command was accepted, or no clock was watched; before `since` and after `whole`
    everything worked.
    """

    name: str
    stops_play: bool
    since: int
    down: int
    up: int
    whole: int

    @property
    def counts(self) -> bool:
        """Return whether it was longer than a silence without consequences, even after a late heartbeat."""
        return self.up - self.down > LONGEST_SILENCE + LATEST_BEAT


class Look(NamedTuple):
    """A version that a client saw, and when it sent the request."""

    at: int
    version: int


class Late(NamedTuple):
    """A command that was refused as too late: when it was first sent, and the version in the answer."""

    seat: int
    sent: int
    version: int


@dataclass
class Watched:
    """The versions of a game that clients saw, and until when."""

    until: int = 0
    looks: list[Look] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)

    def absent_until(self, version: int) -> int:
        """Return the last moment at which a client saw the game without a version; 0 for none."""
        return max((each.at for each in self.looks if each.version < version), default=0)


class Credit(NamedTuple):
    """Credited time, and its entry."""

    version: int
    at: int
    since: int
    until: int


class Expiry(NamedTuple):
    """The recorded end of a seat's time, and its entry."""

    version: int
    at: int
    name: Name


class Awaiting(NamedTuple):
    """One thing for which a game waited.

    `over_at` includes the grace and all credits; `ended` is None where the log ends before; `version` is of the entry
    that ended it, or of the last one.
    """

    name: Name
    since: int
    over_at: int
    ended: int | None
    version: int

    @property
    def seat(self) -> int:
        return self.name[0]


@dataclass(frozen=True, slots=True)
class TimeOfGame:
    """The waits, credits and expiries of a log."""

    waits: tuple[Awaiting, ...]
    credits: tuple[Credit, ...]
    expiries: tuple[Expiry, ...]


def read_time(entries: Sequence[RecordedEvent]) -> TimeOfGame:
    """Extract waits, credits and expiries from a whole log."""
    state, facts = INITIAL_STATE, EMPTY
    running: dict[tuple[int, int | None, int], Wait] = {}
    waits, given, expiries = list[Awaiting](), list[Credit](), list[Expiry]()
    for entry in entries:
        event = decode_event(entry)
        state = evolve(state, event)
        facts = facts.after(entry, event, state)
        if isinstance(event, e.TimeCredited):
            given.append(Credit(entry.version, entry.at, event.since, event.until))
        elif isinstance(event, e.TimeExpired):
            expiries.append(Expiry(entry.version, entry.at, (event.seat, event.offer, event.deadline)))
        if (clock := facts.clock) is not None:
            now = {(each.awaited.seat, each.awaited.offer, each.since): each for each in clock.waits}
            ended = running.keys() - now.keys()
            waits += [_awaiting(clock, running[name], entry, entry.at) for name in ended]
            running = now
    if facts.clock is not None:
        waits += [_awaiting(facts.clock, wait, entries[-1], None) for wait in running.values()]
    return TimeOfGame(tuple(waits), tuple(given), tuple(expiries))


def _awaiting(clock: Clock, wait: Wait, entry: RecordedEvent, ended: int | None) -> Awaiting:
    name = wait.awaited.seat, wait.awaited.offer, wait.deadline
    return Awaiting(name, wait.since, clock.over_at(wait), ended, entry.version)


@dataclass
class Judged:
    """The number of judged events, so that an empty campaign proves nothing, and the findings.

    Counted are `waits`, `exposed` waits during outages that count with the milliseconds `given back` of these,
    `expiries`, commands refused as `too late`, `credits`, and `unexplained` credits without an outage. `latest` is
    the longest delay of an expiry in milliseconds.
    """

    counts: Counter[str] = field(default_factory=Counter)
    latest: int = 0
    findings: list[str] = field(default_factory=list)

    def add(self, other: "Judged") -> None:
        self.counts += other.counts
        self.latest = max(self.latest, other.latest)
        self.findings += other.findings


def judge(game: str, time: TimeOfGame, outages: Sequence[Outage], watched: Watched) -> Judged:
    """Judge one game by its log, the outages, and what its clients saw."""
    spans = [(each.since - LATEST, each.whole + SETTLING + LATEST) for each in outages]
    unexplained = sum(not any(a <= credit.since <= b for a, b in spans) for credit in time.credits)
    judged = Judged(Counter(waits=len(time.waits), expiries=len(time.expiries), credits=len(time.credits)))
    judged.counts += Counter({"too late": len(watched.late), "unexplained": unexplained})
    expiries, findings = {each.name: each for each in time.expiries}, list[str]()
    for wait in time.waits:
        findings += _losses(wait, time, outages, judged)
        findings += _delays(wait, expiries.get(wait.name), outages, watched, judged)
    findings += [*_repeated(time), *_wrong_refusals(time, watched)]
    judged.findings = [f"game {game}: {each}" for each in findings]
    return judged


def _losses(wait: Awaiting, time: TimeOfGame, outages: Sequence[Outage], judged: Judged) -> Iterator[str]:
    end = wait.over_at if wait.ended is None else min(wait.ended, wait.over_at)
    spans = [(each.since, each.until) for each in time.credits if each.version <= wait.version]
    is_exposed = False
    for outage in outages:
        since, until = max(outage.down, wait.since), min(outage.up, end)
        could_play = not outage.stops_play and end <= outage.down + LONGEST_SILENCE
        if not outage.counts or since >= until or could_play:
            continue
        is_exposed = True
        judged.counts["given back"] += until - since
        if lost := sum(end - begin for begin, end in _uncovered(since, until, spans)):
            yield (
                f"seat {wait.seat} lost {lost} ms of {until - since} ms of '{outage.name}' at {outage.down}, "
                f"before version {wait.version}"
            )
    judged.counts["exposed"] += is_exposed


def _delays(
    wait: Awaiting, expiry: Expiry | None, outages: Sequence[Outage], watched: Watched, judged: Judged
) -> Iterator[str]:
    possible = _possible_from(wait, outages, settles=expiry is None)
    if expiry is None:
        ended = watched.until if wait.ended is None else wait.ended
    else:
        # Clients saw when it was missing, even if the entry contains another time.
        ended = max(expiry.at, watched.absent_until(expiry.version))
        judged.latest = max(judged.latest, ended - possible)
        if (early := wait.over_at - expiry.at) > 0:
            yield f"version {expiry.version} says {early} ms too early that time was over"
    if ended > possible + LATEST:
        yield (
            f"the time of seat {wait.seat} was over at {wait.over_at}, and that was not recorded "
            f"{ended - possible} ms after it was possible (version {wait.version})"
        )


def _uncovered(since: int, until: int, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a time span that none of these contains."""
    for begin, end in sorted(spans):
        if begin >= until:
            break
        if begin > since:
            yield since, begin
        since = max(since, end)
        if since >= until:
            return
    yield since, until


def _possible_from(wait: Awaiting, outages: Iterable[Outage], *, settles: bool) -> int:
    """Return from when on the end of a wait's time could be recorded.

    The expiry itself credits the settling time after an outage; a wait that ended otherwise has it still to come.
    """
    possible = wait.over_at
    for outage in sorted(outages, key=lambda each: each.since):
        end = outage.whole + (SETTLING if settles else 0)
        if outage.since <= possible + LATEST and end > possible:
            possible = end
    return possible


def _repeated(time: TimeOfGame) -> Iterator[str]:
    waited_for = {each.name for each in time.waits}
    for name, count in Counter(each.name for each in time.expiries).items():
        if count > 1:
            yield f"the deadline {name[2]} of seat {name[0]} expired {count} times"
        elif name not in waited_for:
            yield f"no seat was waited for when it expired at the deadline {name[2]} of seat {name[0]}"


def _wrong_refusals(time: TimeOfGame, watched: Watched) -> Iterator[str]:
    for late in watched.late:
        if not any(
            each.name[0] == late.seat and each.version <= late.version and each.at >= late.sent - LATEST
            for each in time.expiries
        ):
            yield f"seat {late.seat} was refused as too late at version {late.version}, and its time was not over"
