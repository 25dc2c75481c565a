"""Whole numbers in foreign text: ASCII digits only. `int` also takes `1_0`, ` 1` and the digits of every script."""

import re
from typing import Final

_WHOLE: Final = re.compile(r"-?[0-9]{1,4000}")


def is_whole(text: str) -> bool:
    """Return whether this is a whole number, written with ASCII digits.

    >>> is_whole("10"), is_whole("1_0"), is_whole("+10"), is_whole("\N{ARABIC-INDIC DIGIT FOUR}")
    (True, False, False, False)
    """
    return _WHOLE.fullmatch(text) is not None


def parse_whole(text: str) -> int:
    """Return the whole number that a text is.

    Raises:
        ValueError: it is not one.
    """
    if not is_whole(text):
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(text)
