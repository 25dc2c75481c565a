"""What must hold of time after outages, judged from a log and from what the campaign has noted of each outage.

- **Nobody loses time.** As long as an outage lasted for certain, and a seat's time ran and was not over, the log has
  given back every millisecond of that before the wait ended. An outage of up to three and a half seconds is none
  (docs/operating.md); and where only nobody watched, who acted within these three seconds has lost nothing.
- **No expiry is missed.** What was over was recorded within five seconds of that moment or, where an outage lay
  between, of the moment at which everything worked again.
- **None happens twice**, and each is of something that the game waited for.
- **Nobody is told that their time was over** where the log does not say so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from service.storage.life_marks import LONGEST_SILENCE, SETTLING
from tests.faults.clocks.outages import Outage
from tests.faults.clocks.waits import Awaiting, Credit, Expiry, TimeOfGame
from tests.faults.clocks.watched import Watched

LATEST = 5_000
"""Milliseconds within which an expiry has to be recorded."""


@dataclass
class Judged:
    """What was looked at, so that nobody takes looking at nothing for a proof, and what was found."""

    waits: int = 0
    exposed: int = 0
    """Waits that an outage lay in which counts."""
    given_back: int = 0
    """Milliseconds of outages that ran against somebody, and were given back."""
    expiries: int = 0
    latest: int = 0
    """Milliseconds after it could have been recorded, of the expiry that was the latest."""
    late: int = 0
    """Commands that were refused as too late."""
    credits: int = 0
    unexplained: int = 0
    """Credits that no outage of the campaign explains: the machine itself was away."""
    findings: list[str] = field(default_factory=list)

    def add(self, other: "Judged") -> None:
        """Add what was judged of another game."""
        self.waits += other.waits
        self.exposed += other.exposed
        self.given_back += other.given_back
        self.expiries += other.expiries
        self.latest = max(self.latest, other.latest)
        self.late += other.late
        self.credits += other.credits
        self.unexplained += other.unexplained
        self.findings += other.findings


def judge(game: str, time: TimeOfGame, outages: Sequence[Outage], watched: Watched) -> Judged:
    """Judge one game by its log, the outages there were, and what its clients saw."""
    return _Judgement(game, time, outages, watched).pass_on()


class _Judgement:
    """The judgement on one game."""

    def __init__(self, game: str, time: TimeOfGame, outages: Sequence[Outage], watched: Watched) -> None:
        self._game, self._time, self._outages, self._watched = game, time, outages, watched
        self._judged = Judged(waits=len(time.waits), expiries=len(time.expiries), credits=len(time.credits))

    def pass_on(self) -> Judged:
        """What is judged."""
        judged, time = self._judged, self._time
        judged.late = len(self._watched.late)
        judged.unexplained = sum(not _is_explained(each, self._outages) for each in time.credits)
        expiries = {each.name: each for each in time.expiries}
        for wait in time.waits:
            self._look_for_loss(wait)
            self._look_for_lateness(wait, expiries.get(wait.name))
        judged.findings += [
            f"game {self._game}: {each}" for each in (*_double(time), *_refused_in_vain(time, self._watched))
        ]
        return judged

    def _look_for_loss(self, wait: Awaiting) -> None:
        end = wait.over_at if wait.ended is None else min(wait.ended, wait.over_at)
        spans = [(each.since, each.until) for each in self._time.credits if each.version <= wait.version]
        is_exposed = False
        for outage in self._outages:
            since, until = max(outage.down, wait.since), min(outage.up, end)
            could_play = not outage.stops_play and end <= outage.down + LONGEST_SILENCE
            if not outage.counts or since >= until or could_play:
                continue
            is_exposed = True
            self._judged.given_back += until - since
            lost = sum(end - begin for begin, end in _uncovered(since, until, spans))
            if lost:
                self._find(
                    f"seat {wait.seat} lost {lost} ms of {until - since} ms of '{outage.name}' at {outage.down},"
                    f" before version {wait.version}"
                )
        self._judged.exposed += is_exposed

    def _look_for_lateness(self, wait: Awaiting, expiry: Expiry | None) -> None:
        could = _could_be_recorded(wait, self._outages, settles=expiry is None)
        if expiry is None:
            ended = self._watched.until if wait.ended is None else wait.ended
        else:
            # When it was not there yet clients have seen, whatever time stands in the entry.
            ended = max(expiry.at, self._watched.absent_until(expiry.version))
            self._judged.latest = max(self._judged.latest, ended - could)
            early = wait.over_at - expiry.at
            if early > 0:
                self._find(f"version {expiry.version} says {early} ms too early that time was over")
        if ended > could + LATEST:
            self._find(
                f"the time of seat {wait.seat} was over at {wait.over_at}, and that was not recorded"
                f" {ended - could} ms after it could have been (version {wait.version})"
            )

    def _find(self, finding: str) -> None:
        self._judged.findings.append(f"game {self._game}: {finding}")


def _uncovered(since: int, until: int, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a span that lie in none of these."""
    for begin, end in sorted(spans):
        if begin >= until:
            break
        if begin > since:
            yield since, begin
        since = max(since, end)
        if since >= until:
            return
    yield since, until


def _could_be_recorded(wait: Awaiting, outages: Iterable[Outage], *, settles: bool) -> int:
    """From when on it could be recorded that the time of a wait is over.

    What settles after an outage is given back by the expiry itself. A wait that ended otherwise has it still to come.
    """
    could = wait.over_at
    for outage in sorted(outages, key=lambda each: each.since):
        end = outage.whole + (SETTLING if settles else 0)
        if outage.since <= could + LATEST and end > could:
            could = end
    return could


def _double(time: TimeOfGame) -> Iterator[str]:
    waited_for = {each.name for each in time.waits}
    for name, count in Counter(each.name for each in time.expiries).items():
        if count > 1:
            yield f"the deadline {name[2]} of seat {name[0]} expired {count} times"
        elif name not in waited_for:
            yield f"nobody waited for what expired at the deadline {name[2]} of seat {name[0]}"


def _refused_in_vain(time: TimeOfGame, watched: Watched) -> Iterator[str]:
    """Refusals of commands as too late of which the log knows nothing."""
    for late in watched.late:
        if not any(
            each.seat == late.seat and each.version <= late.version and each.at >= late.sent - LATEST
            for each in time.expiries
        ):
            yield f"seat {late.seat} was told at version {late.version} that its time was over"


def _is_explained(credit: Credit, outages: Iterable[Outage]) -> bool:
    """Whether a credit begins in an outage, or in what belongs to it."""
    return any(each.since - LATEST <= credit.since <= each.whole + SETTLING + LATEST for each in outages)
