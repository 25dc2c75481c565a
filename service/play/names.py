"""Which names can sit down at a table: those that everybody sees, and can tell from the others there.

Not in the rules, which games of every age are verified by: it is this service that takes no such name any more. What
looks alike follows Unicode Technical Standard #39 in its idea, and takes the letters of three scripts from its data.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from events.rules.errors import BadName

_DIRECTION_MARKS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing."""
_LATIN: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043a\u043c\u0442\u0432\u043d\u04bb\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131",
    "aeopcyxijskmtbhhdqwabeznikmvoptuxi",
)
"""Small letters of Cyrillic and Greek, and the dotless i, that look like a Latin one, at least as capitals."""


def check_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name that shows nothing, turns what stands beside it round, or looks like another one at the table.

    Raises:
        BadName: with what is wrong, and what to do.
    """
    check_visible(name)
    for other in others:
        if _looks(other) == _looks(name):
            raise BadName(
                f"Somebody at this table is called {other!r}, which looks the same; choose another name."
            )


def neutral_name(seat: int, others: Iterable[str]) -> str:
    """What the log calls a player who is named by an id: nothing about them, and told from the others there.

    >>> neutral_name(1, ["Ada"]), neutral_name(1, ["player 2"])
    ('Player 2', 'Player 2b')
    """
    taken = {_looks(each) for each in others}
    names = (f"Player {seat + 1}{letter}" for letter in ("", *"bcdefghijk"))
    return next(name for name in names if _looks(name) not in taken)


def check_visible(name: str) -> None:
    """Refuse a name that shows nothing, or turns what stands beside it round.

    Raises:
        BadName: with what is wrong.
    """
    if not _looks(name):
        raise BadName("This name shows nothing: it has only spaces and invisible characters.")
    if _DIRECTION_MARKS & set(name):
        raise BadName("A name has no direction marks; names written from the right need none.")


def _looks(name: str) -> str:
    """What is seen of a name, whatever its letters are; empty where that is nothing."""
    seen = unicodedata.normalize("NFKC", name).casefold().translate(_LATIN)
    shown = (each for each in seen if not _is_invisible(each))
    return " ".join("".join(shown).split())


def _is_invisible(letter: str) -> bool:
    is_selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return is_selector or letter in _BLANK or unicodedata.category(letter) in {"Cf", "Cc", "Cn", "Co"}
