"""What can be marked on a table: by the names that commands and the table's pictures use.

seat:1          a seat
field:1:0       a field of a seat
hand:1:12       a card in a seat's hand, by the number that commands name it with
aside:1:2       a card that lies aside for a seat, by its number
revealed:4      a revealed card, by its number
fan:0           a fan
pile:draw       the draw pile; pile:discard, pile:bonus
"""

import re
from typing import Final

PATTERN: Final = (
    r"^(seat:[0-9]|field:[0-9]:[0-9]|(hand|aside):[0-9]:[0-9]{1,4}|revealed:[0-9]{1,4}|fan:[0-9]"
    r"|pile:(draw|discard|bonus))$"
)
"""Every place that can be marked."""
COLOURS: Final = ("green", "red", "yellow", "blue")
"""The colours of marks and arrows, the usual one first."""
_PLACE: Final = re.compile(PATTERN[1:-1], re.ASCII)
_WITH_SEAT: Final = re.compile(r"(?:seat|field|hand|aside):([0-9])", re.ASCII)


def is_place(text: str) -> bool:
    """Whether this names a place on a table."""
    return _PLACE.fullmatch(text) is not None


def seat_of(place: str) -> int | None:
    """The seat that a place belongs to; None for one that is the whole table's.

    >>> seat_of("field:2:0"), seat_of("pile:draw")
    (2, None)
    """
    found = _WITH_SEAT.match(place)
    return int(found[1]) if found else None
