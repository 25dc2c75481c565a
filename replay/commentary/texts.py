"""The one place where a text of a record gets into a sentence: made safe, and kept from turning what is around it."""

import unicodedata
from functools import lru_cache

from replay.platform.safe_text import LONGEST, safe

NAME_LENGTH = 40
"""Characters of a name at most."""
_SECOND, _MINUTE, _HOUR = 1000, 60, 3600
FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE = "\u2068", "\u2069"
_FROM_THE_RIGHT = frozenset({"R", "AL", "AN"})


@lru_cache(maxsize=1024)
def make_printable(text: str, longest: int = LONGEST) -> str:
    r"""The text without anything that a terminal would obey, cut, and isolated if it is written from the right.

    Without the isolate a Hebrew or Arabic name would reorder the numbers and names beside it. A text cannot end its
    own isolate, since `safe` shows such marks by their code point. A text from the left needs none and gets none.

    >>> make_printable("Ann\u2069"), ascii(make_printable("\u0646\u0648\u0631"))
    ('Ann<2069>', "'\\u2068\\u0646\\u0648\\u0631\\u2069'")
    """
    made = safe(text, longest)
    if any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in made):
        return f"{FIRST_STRONG_ISOLATE}{made}{POP_DIRECTIONAL_ISOLATE}"
    return made


def duration(milliseconds: int) -> str:
    """A time in minutes and seconds, with hours where it has any; what is less than a second is left out.

    >>> duration(75_999), duration(45_000), duration(26 * 3_600_000)
    ('1:15', '0:45', '26:00:00')
    """
    seconds = max(milliseconds, 0) // _SECOND
    minutes_and_seconds = f"{seconds % _HOUR // _MINUTE}:{seconds % _MINUTE:02}"
    return f"{seconds // _HOUR}:{minutes_and_seconds:0>5}" if seconds >= _HOUR else minutes_and_seconds
