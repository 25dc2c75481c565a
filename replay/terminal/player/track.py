"""What the player moves along, the game as played or a variation, and how to find a place on it."""

import re
from collections.abc import Iterator

from events.log.disclosure import ALL, PUBLIC
from replay.commentary import Commentary
from replay.records.hidden import parse_viewer
from replay.terminal.player.variations import Variation
from replay.timeline.search.entry_filter import has_text
from replay.timeline.timeline import TURN, Timeline

PLACES = "120, +20, -20, 50% or t12"
_PLACE = re.compile(r"(?P<sign>[+-]?)(?P<number>[0-9]{1,9})|(?P<share>[0-9]{1,3})%|t ?(?P<turn>[0-9]{1,9})")


Track = Timeline | Variation
"""What the player moves along."""


def list_viewers(track: Track) -> list[int]:
    """Everybody whose view the record holds: all, the public, the seats; within its scope."""
    scope = parse_viewer(track.header.scope)
    seats = range(len(track.at(1).state.seats)) if track.last else ()
    return [viewer for viewer in (ALL, PUBLIC, *seats) if scope in (ALL, viewer) or viewer == PUBLIC]


class NoSuchPlace(Exception):
    """There is no such place; the message says what there is."""


def find_place(track: Track, version: int, text: str) -> int:
    """The version that a text names, relative to the current one.

    Raises:
        NoSuchPlace: it cannot be read, or the track has no such version or turn.
    """
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise NoSuchPlace(f"Enter {PLACES}.")
    if found["turn"]:
        turns, turn = track.stops[TURN], int(found["turn"])
        if not 1 <= turn <= len(turns):
            raise NoSuchPlace(f"There are turns 1 to {len(turns)}." if turns else "There are no turns.")
        return turns[turn - 1]
    if found["share"]:
        return 1 + round(min(int(found["share"]), 100) * (track.last - 1) / 100)
    number = int(found["number"])
    if found["sign"]:
        step = number if found["sign"] == "+" else -number
        return min(max(version + step, 1), track.last)
    if not 1 <= number <= track.last:
        raise NoSuchPlace(f"There are versions 1 to {track.last}.")
    return number


def find_matches(track: Track, version: int, way: int, text: str, tell: Commentary) -> Iterator[int | None]:
    """Yield for each entry after this version, or before it, its version if its sentence has the text, else None."""
    end = track.last + 1 if way > 0 else 0
    for each in range(version + way, end, way):
        yield each if has_text(track.at(each), text, tell) else None
