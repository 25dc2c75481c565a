"""The one rule for names that people are shown: of seats, players, programs, tournaments, keys and spectators.

A name is visible, stays on its line, and looks like no other name at its table. Unicode Technical Standard #39 is the
model for what looks alike; the tables below hold the letters of three scripts from its data. The rules that verify a
game's log check less (`forms.speakable`), so that verification does not depend on the version of Unicode.
"""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from events.rules.errors import BadName

LONGEST_NAME: Final = 40
"""Characters of a name at most, where nothing else is said."""
_UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_UNSEEN_LETTERS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Letters, marks and symbols that show nothing; Unicode calls all but the blank Braille pattern default-ignorable."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Between two visible characters they shape Persian and Indic words, and emoji of several parts."""
_STYLES: Final = frozenset("\ufe0e\ufe0f")
"""After a visible character they select its form: symbol or emoji."""
_LATIN: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043a\u043c\u0442\u0432\u043d\u04bb\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131",
    "aeopcyxijskmtbhhdqwabeznikmvoptuxi",
)
"""Small letters of Cyrillic and Greek, and the dotless i, that look like a Latin one, at least as capitals."""


def check_name(name: str, others: Iterable[str] = (), *, longest: int = LONGEST_NAME) -> None:
    """Refuse a name that is too long, shows nothing, has invisible characters, or looks like one of the others.

    Raises:
        BadName: with what is wrong, and what to do.
    """
    if not 1 <= len(name) <= longest:
        raise BadName(f"A name has 1 to {longest} characters, not {len(name)}.")
    for place, letter in enumerate(name):
        if is_unseen(letter) and not is_joining(name, place):
            raise BadName(
                "A name has no line breaks and no control, direction or invisible characters: remove"
                f" U+{ord(letter):04X}, which is character {place + 1} of this one."
            )
    own = looks(name)
    if not own:
        raise BadName("This name shows nothing: it has only spaces and invisible characters.")
    for other in others:
        if looks(other) == own:
            raise BadName(f"The name {other!r} is taken and looks the same; choose another name.")


@lru_cache(maxsize=4096)
def looks(name: str) -> str:
    """Return what people see of a name, equal for all names that look alike; empty for one that shows nothing.

    >>> looks("Anna") == looks("\u0410NNA ")
    True
    """
    seen = unicodedata.normalize("NFKC", name).casefold().translate(_LATIN)
    return " ".join("".join(each for each in seen if not is_unseen(each)).split())


def neutral_name(seat: int, others: Iterable[str]) -> str:
    """Return the log's name for a player with an id: it says nothing about them, and looks like none of the others.

    >>> neutral_name(1, ["Ada"]), neutral_name(1, ["player 2"])
    ('Player 2', 'Player 2b')
    """
    taken = {looks(each) for each in others}
    names = (f"Player {seat + 1}{letter}" for letter in ("", *"bcdefghijk"))
    return next(name for name in names if looks(name) not in taken)


def tell_apart(names: Sequence[str], yielding: Collection[int]) -> tuple[str, ...]:
    """Return the names by seat so that no two look alike: of two, the one of a yielding seat gets its number added.

    Seats are yielding whose players have an id: what is shown for them is chosen apart from the table. Of two such
    seats the later one yields. An empty name is a free seat.

    >>> tell_apart(["Ada", "Bob", "ada"], {0, 2})
    ('Ada', 'Bob', 'ada (3)')
    """
    shown, taken = list(names), {looks(name) for seat, name in enumerate(names) if seat not in yielding}
    for seat in sorted(yielding):
        name, number = names[seat], f" ({seat + 1})"
        while name and looks(name) in taken:
            name = names[seat][: LONGEST_NAME - len(number)] + number
            number += "'"
        shown[seat] = name
        taken.add(looks(name))
    return tuple(shown)


def is_unseen(letter: str) -> bool:
    """Return whether a character shows nothing, ends a line, or changes how its neighbours are shown."""
    return letter in _UNSEEN_LETTERS or unicodedata.category(letter) in _UNSEEN_CATEGORIES


def is_joining(name: str, place: int) -> bool:
    """Return whether an invisible character has its use between its neighbours."""
    letter, before, after = name[place], name[:place][-1:], name[place + 1 :][:1]
    if letter in _STYLES:
        return _is_visible(before)
    return letter in _JOINERS and _is_visible(after) and (_is_visible(before) or before in _STYLES)


def _is_visible(letter: str) -> bool:
    return bool(letter.strip()) and not is_unseen(letter)
