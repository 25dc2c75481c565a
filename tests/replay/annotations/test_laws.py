"""Laws of annotations over random logs: what was accepted always reads, and nothing is lost on the way."""

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from replay.annotations.book import AnnotationBook
from replay.annotations.content import Note
from replay.annotations.files import Binding, read_file, write_file
from replay.annotations.permissions import Reader, visible
from replay.annotations.sets import AnnotationSet
from tests.replay.annotations.writing import GAME, HASHES, LOGS, Writer, written

BINDING = Binding(GAME, HASHES[1])


def book_of(*writers: Writer) -> AnnotationBook:
    """All of their sets."""
    return AnnotationBook.of(GAME, [entry for each in writers for entry in each.written.entries])


@given(LOGS)
def test_what_was_accepted_reads_and_says_what_the_entries_say(wishes: list[dict[str, Any]]) -> None:
    """Each note says what its newest entry says; a withdrawn one is not edited; numbers have no gap."""
    found = AnnotationSet.of(written(wishes).written.entries)

    assert [entry.number for entry in found.entries] == list(range(1, found.number + 1))
    for note in found.standing:
        assert isinstance(note.content, Note)
        assert note.newest.number == max(
            number for number in note.history if found.entries[number - 1].kind != "withdrawal"
        )
        if note.withdrawn is not None:
            assert note.history[-1] == note.withdrawn.number
    about = [number for note in found.standing for number in note.history]
    others = [entry.number for entry in found.entries if entry.kind == "publication" or entry.content is None]
    assert sorted(about + others) == list(range(1, found.number + 1))


@given(LOGS, LOGS)
def test_files_are_read_as_they_were_written(one: list[dict[str, Any]], two: list[dict[str, Any]]) -> None:
    """Byte for byte, with members and kinds that are not known."""
    lines = list(write_file(BINDING, book_of(written(one), written(two, "b"))))

    binding, book = read_file(lines)

    assert binding == BINDING
    assert list(write_file(binding, book)) == lines


@given(LOGS, LOGS, st.integers(0, 25), st.randoms(use_true_random=False))
def test_joining_has_no_order_and_loses_nothing(
    one: list[dict[str, Any]], two: list[dict[str, Any]], cut: int, chance: random.Random
) -> None:
    """Books with beginnings of the same sets come to the same, whichever comes first and however often."""
    ann, ben = written(one), written(two, "b")
    whole = book_of(ann, ben)
    parts = [
        AnnotationBook.of(GAME, [*ann.written.entries[:cut], *ben.written.entries]),
        AnnotationBook.of(GAME, [*ann.written.entries, *ben.written.entries[:cut]]),
        AnnotationBook(GAME),
    ]
    chance.shuffle(parts)

    merge = AnnotationBook(GAME)
    for part in (*parts, parts[0]):
        merge = merge.merge(part)

    assert list(merge.entries) == list(whole.entries)


@given(LOGS, LOGS)
def test_what_others_see_is_the_published_beginning(
    one: list[dict[str, Any]], two: list[dict[str, Any]]
) -> None:
    """It ends with a publication; the author sees all; while the game runs nobody but an arbiter sees anything."""
    ann, ben = written(one), written(two, "b")
    book = book_of(ann, ben)
    owners = {ann.name: "seat:0", ben.name: "seat:1"}

    public = visible(book, owners, Reader(), is_over=True)
    own = visible(book, owners, Reader("seat:0"), is_over=True)

    for each in public.sets:
        assert each.entries[-1].kind == "publication"
        whole = book.find(each.id)
        assert whole is not None
        assert all(entry.kind != "publication" for entry in whole.entries[each.number :])
    assert (own.find(ann.name) or AnnotationSet()).entries == ann.written.entries
    assert (own.find(ben.name) or AnnotationSet()).entries == (
        public.find(ben.name) or AnnotationSet()
    ).entries
    for reader in (Reader(), Reader("seat:0"), Reader("seat:1"), Reader("key_1")):
        assert not visible(book, owners, reader, is_over=False).sets
    arbiter = visible(book, owners, Reader("key_1", arbitrates=True), is_over=False)
    assert list(arbiter.entries) == list(public.entries)
