"""How many columns a text takes on a terminal."""

from functools import lru_cache
from unicodedata import combining, east_asian_width

from replay.commentary.texts import FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE


def cells(text: str) -> int:
    """How many columns a text takes.

    >>> cells("Zoë"), cells("さくら")
    (3, 6)
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, width: int) -> str:
    """The text, or as much of it as fits with an ellipsis; an isolate that was cut is closed.

    >>> cut("Dmitrij", 7), cut("Alexander", 7), cut("さくらさくら", 7)
    ('Dmitrij', 'Alexan…', 'さくら…')
    """
    if cells(text) <= width:
        return text
    short = ""
    for letter in text:
        if cells(short + letter) >= width:
            break
        short += letter
    is_open = short.count(FIRST_STRONG_ISOLATE) > short.count(POP_DIRECTIONAL_ISOLATE)
    return f"{short}…{POP_DIRECTIONAL_ISOLATE if is_open else ''}"


@lru_cache(maxsize=4096)
def _columns(letter: str) -> int:
    if combining(letter) or letter in {FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE}:
        return 0
    return 2 if east_asian_width(letter) in {"W", "F"} else 1
