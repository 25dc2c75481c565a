"""Answers that will never be other ones are kept, as many as there is room for."""

import random
from functools import partial

from service.http.messages.kept_answers import KeptAnswers

ROOM = 4_200
"""For four contents of a thousand bytes that cannot be packed."""


def content(name: str, size: int) -> bytes:
    """So many bytes, always the same by this name, and as many when they are packed."""
    return random.Random(name).randbytes(size)


def asked(kept: KeptAnswers, *names: str, size: int = 1_000) -> list[str]:
    """Ask for these one after the other; which of them had to be made."""
    made: list[str] = []

    def make(name: str) -> bytes:
        made.append(name)
        return content(name, size)

    for name in names:
        assert kept.get(name, partial(make, name)) == content(name, size)
    return made


def test_what_is_kept_is_not_made_again() -> None:
    """However often it is asked for."""
    kept = KeptAnswers(ROOM)

    assert asked(kept, "a", "b", "a", "a", "b") == ["a", "b"]


def test_what_was_asked_for_longest_ago_goes() -> None:
    """Where there is no room for all."""
    kept = KeptAnswers(ROOM)

    asked(kept, "a", "b", "c", "d")
    assert asked(kept, "a", "e") == ["e"]
    assert asked(kept, "a", "c", "d", "e", "b") == ["b"]
    assert asked(kept, "a") == ["a"]


def test_one_does_not_take_the_room_of_all() -> None:
    """What alone takes more than a quarter is made each time, and drives nothing out."""
    kept = KeptAnswers(ROOM)

    asked(kept, "a", "b")
    assert asked(kept, "c", "c", size=1_100) == ["c", "c"]
    assert asked(kept, "a", "b") == []


def test_what_can_be_packed_takes_less_room() -> None:
    """So many more games fit in: their histories say the same words again and again."""
    kept, made = KeptAnswers(ROOM), list[int]()

    def make(number: int) -> bytes:
        made.append(number)
        return b"%d plants a bean. " % number * 1_000

    for number in [*range(20), *range(20)]:
        assert kept.get(number, partial(make, number)) == b"%d plants a bean. " % number * 1_000
    assert made == [*range(20)]
