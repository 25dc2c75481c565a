"""Where a game could go back to near a version, and which hidden cards have been seen since."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from events.game.rewindable_history import is_stop
from events.rules.table.seen import find_seen
from replay.exports.evidence.pack import WayBack
from replay.timeline.timeline import COMMAND, Timeline

NEAREST: Final = 5
"""So many of the versions that the game can go back to, on either side."""
_LOOKED_AT: Final = 400
"""Commands that are looked at on either side."""
TALK: Final = "talked"
"""The event of a command that changes nothing."""


def ways_back(timeline: Timeline, version: int) -> tuple[WayBack, ...]:
    """The disputed version, the one before its command, and the nearest that the game could go back to, in order."""
    ends = timeline.stops[COMMAND]
    place = bisect_left(ends, version)
    before = [ends[each] for each in range(max(0, place - _LOOKED_AT), place)]
    after = [ends[each] for each in range(place, min(len(ends), place + _LOOKED_AT))]
    wanted = {version, *before[-1:]}
    wanted |= {*_possible(timeline, reversed(before))} | {*_possible(timeline, iter(after))}
    return tuple(_way_back(timeline, each) for each in sorted(wanted))


def can_go_back_to(timeline: Timeline, version: int) -> bool:
    """Whether a ruling could put the table of this version back now: after a whole command, when somebody could act.

    The same as `events.game.folding.Folding` says, without folding the log again.
    """
    ends = timeline.stops[COMMAND]
    place = bisect_left(ends, version)
    if place == len(ends) or ends[place] != version or version >= timeline.last:
        return False
    is_running = timeline.recording.at(timeline.last).moment.whole.status == "running"
    return (
        is_running
        and version in timeline.effective_history()
        and timeline.recording.at(version).form.entry["type"] != TALK
        and is_stop(timeline.recording.at(version).moment.whole)
    )


def _possible(timeline: Timeline, versions: Iterator[int]) -> Iterator[int]:
    left = NEAREST
    for version in versions:
        if left and can_go_back_to(timeline, version):
            left -= 1
            yield version


def _way_back(timeline: Timeline, version: int) -> WayBack:
    now = timeline.recording.at(timeline.last).moment.whole
    then = timeline.recording.at(version).moment.whole
    counts = version in timeline.effective_history() and len(then.seats) == len(now.seats)
    return WayBack(version, can_go_back_to(timeline, version), find_seen(then, now) if counts else ())
