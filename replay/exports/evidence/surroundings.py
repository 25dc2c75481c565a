"""What happened around an entry: its turn and some entries on either side, with what took how long."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from events import domain_events as e
from events.log.disclosure import acting_seat
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.exports.evidence.pack import Arrival, LogLine, TimeUsed
from replay.timeline.timeline import TURN, Timeline

ON_EITHER_SIDE: Final = 10
"""So many entries before and after the disputed one at least."""
MOST_BEFORE: Final = 400
"""So many before it at most: a turn can be long."""
_OFFERS: Final = (e.OfferMade, e.OfferDeclined, e.OfferWithdrawn, e.OfferLapsed, e.TradeMade, e.TradingEnded)


def stretch_around(timeline: Timeline, version: int) -> range:
    """The versions around one: from the beginning of its turn, and some on either side."""
    begins = [each for each in timeline.stops[TURN] if each <= version]
    first = min(begins[-1] if begins else 1, version - ON_EITHER_SIDE)
    return range(max(1, first, version - MOST_BEFORE), min(timeline.last, version + ON_EITHER_SIDE) + 1)


def list_log_lines(timeline: Timeline, versions: Iterable[int], tell: Commentary) -> Iterator[LogLine]:
    """These entries as lines."""
    for version in versions:
        step = timeline.at(version)
        yield LogLine(
            version=version,
            at=int(step.form.entry["at"]),
            actor=str(step.form.entry["actor"]),
            sentence=tell.sentence(step.state, step.event),
            about=_about(step.event),
            begins=step.command is not None,
            counts=step.counts,
        )


def _about(event: e.DomainEvent) -> str:
    if isinstance(event, e.Talked):
        return "talk"
    return "offer" if isinstance(event, _OFFERS) else ""


def list_arrivals(timeline: Timeline) -> list[Arrival]:
    """All commands of a game but the dealer's, with the time since the one before."""
    found = []
    for version in range(1, timeline.last + 1):
        entry = timeline.recording.at(version).form.entry
        if "command" in entry and entry["actor"] != "dealer":
            found.append((version, str(entry["actor"]), str(entry["command"]["type"]), int(entry["at"])))
    first = [Arrival(*each, 0) for each in found[:1]]
    return first + [Arrival(*each, max(0, each[3] - before[3])) for before, each in pairwise(found)]


def time_used(arrivals: Iterable[Arrival], state: GameState, tell: Commentary) -> tuple[TimeUsed, ...]:
    """How long each seat took for these commands."""
    own: dict[int, list[int]] = {seat: [] for seat in range(len(state.seats))}
    for each in arrivals:
        seat = acting_seat(each.actor)
        if seat in own:
            own[seat].append(each.after)
    return tuple(
        TimeUsed(seat, tell.player(state, seat), len(used), sum(used), max(used, default=0))
        for seat, used in own.items()
    )
