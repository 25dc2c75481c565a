"""What one can say to go somewhere: a version, so many versions on or back, a share of the game, a turn."""

import re

from replay.player.course import Course
from replay.timeline import TURN

MEANT = "120, +20, -20, 50% or t12"
_PLACE = re.compile(r"(?P<sign>[+-]?)(?P<number>[0-9]{1,9})|(?P<share>[0-9]{1,3})%|t ?(?P<turn>[0-9]{1,9})")


class NoSuchPlace(Exception):
    """There is no such place; the message says what there is."""


def place_of(course: Course, version: int, said: str) -> int:
    """The version that is meant, from where one stands.

    Raises:
        NoSuchPlace: it cannot be read, or the course has no such version or turn.
    """
    found = _PLACE.fullmatch(said.strip())
    if found is None:
        raise NoSuchPlace(f"Go where? Say {MEANT}.")
    if found["turn"]:
        turns, turn = course.stops[TURN], int(found["turn"])
        if not 1 <= turn <= len(turns):
            raise NoSuchPlace(f"There are turns 1 to {len(turns)}." if turns else "There are no turns.")
        return turns[turn - 1]
    if found["share"]:
        return 1 + round(min(int(found["share"]), 100) * (course.last - 1) / 100)
    number = int(found["number"])
    if found["sign"]:
        step = number if found["sign"] == "+" else -number
        return min(max(version + step, 1), course.last)
    if not 1 <= number <= course.last:
        raise NoSuchPlace(f"There are versions 1 to {course.last}.")
    return number
