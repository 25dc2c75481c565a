"""Places in lists, as words that clients send back: a time, and the name of what stands there."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from replay.platform.whole_numbers import parse_whole

LATEST: Final = 2**53
"""Milliseconds since the epoch at which no list has anything."""


class BadCursor(Exception):
    """A cursor is not one that this list handed out."""


def write_cursor(place: tuple[int, str]) -> str:
    """A place in a list, which is the time and the name of what stands there, as one opaque word."""
    return urlsafe_b64encode(f"{place[0]}/{place[1]}".encode()).decode().rstrip("=")


def read_cursor(cursor: str, slashes: int = 0) -> tuple[int, str]:
    """The place that a word stands for; so many slashes are in its name.

    Raises:
        BadCursor: it is none.
    """
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        time, name = text.split("/", 1)
        place = parse_whole(time), name
    except ValueError as error:
        raise BadCursor(cursor) from error
    if not 0 <= place[0] <= LATEST or name.count("/") != slashes:
        raise BadCursor(cursor)
    return place
