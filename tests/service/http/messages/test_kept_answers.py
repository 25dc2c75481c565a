"""Answers that will never be other ones are kept, as many as there is room for."""

from functools import partial

from service.http.messages.kept_answers import KeptAnswers


def asked(kept: KeptAnswers, *names: str, size: int = 10) -> list[str]:
    """Ask for these one after the other; which of them had to be made."""
    made: list[str] = []

    def make(name: str) -> bytes:
        made.append(name)
        return name.encode() * size

    for name in names:
        assert kept.get(name, partial(make, name)) == name.encode() * size
    return made


def test_what_is_kept_is_not_made_again() -> None:
    """However often it is asked for."""
    kept = KeptAnswers(40)

    assert asked(kept, "a", "b", "a", "a", "b") == ["a", "b"]


def test_what_was_asked_for_longest_ago_goes() -> None:
    """Where there is no room for all."""
    kept = KeptAnswers(40)

    asked(kept, "a", "b", "c", "d")
    assert asked(kept, "a", "e") == ["e"]
    assert asked(kept, "a", "c", "d", "e", "b") == ["b"]
    assert asked(kept, "a") == ["a"]


def test_one_does_not_take_the_room_of_all() -> None:
    """What alone takes more than a quarter is made each time, and drives nothing out."""
    kept = KeptAnswers(40)

    asked(kept, "a", "b")
    assert asked(kept, "c", "c", size=11) == ["c", "c"]
    assert asked(kept, "a", "b") == []
