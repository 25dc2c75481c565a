"""How the values of settings are read: each reader returns the value, or says in a ValueError what it must be."""

import math
import os
import re
from collections.abc import Callable
from typing import Final

_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BYTES: Final = {"mb": 1 << 20, "gb": 1 << 30}
_SIZE: Final = re.compile(r"([0-9]{1,6})(mb|gb)")
_AGE: Final = re.compile(r"([0-9]{1,9})([smhd]?)")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
            raise ValueError(f"a number from {least} to {most}")
        return int(text)

    return read


def one_of(*choices: str) -> Callable[[str], str]:
    """Reads one of some words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(" or ".join(choices))
        return text

    return read


def switch(text: str) -> bool:
    """Read `on` or `off`."""
    return one_of("on", "off")(text) == "on"


def seconds(text: str) -> float:
    """Read a number of seconds, which need not be whole."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise ValueError("a number of seconds")
    return found


def size(text: str) -> int | None:
    """Read a number of bytes: `512mb`, `2gb`, or `half` of the machine's memory; None for `off`.

    >>> size("2gb")
    2147483648
    """
    if text == "off":
        return None
    if text == "half":
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    found = _SIZE.fullmatch(text)
    if found is None or not int(found[1]):
        raise ValueError("a number with mb or gb after it, such as 512mb, or half, or off")
    return int(found[1]) * _BYTES[found[2]]


def age(text: str) -> int:
    """Read an age as `age_in_seconds` does."""
    try:
        return age_in_seconds(text)
    except ValueError as error:
        raise ValueError("a number with s, m, h or d after it, such as 30d") from error


def age_in_seconds(text: str) -> int:
    """The seconds that `30d`, `12h`, `90m`, `60s` or `60` stand for.

    Raises:
        ValueError: it stands for none.

    >>> age_in_seconds("2h")
    7200
    """
    found = _AGE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no age: a number with s, m, h or d after it, such as 30d")
    return int(found[1]) * _SECONDS[found[2]]
