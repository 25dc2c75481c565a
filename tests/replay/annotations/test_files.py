"""Files of annotations: one way to write them, and everything else is refused with the line where it breaks."""

import re
from typing import Any

import pytest

from events.chain.canonical import canonical
from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationBroken, Author
from replay.annotations.files import Binding, FileBroken, read_file, read_sets, write_file
from tests.replay.annotations.writing import GAME, HASHES, Writer, set_id
from tests.replay.commands.commands import WHOLE

BINDING = Binding(GAME, HASHES[1])


def lines_of(*writers: Writer) -> list[bytes]:
    """The file of their sets."""
    entries = [entry for each in writers for entry in each.written.entries]
    return list(write_file(BINDING, AnnotationBook.of(GAME, entries)))


@pytest.fixture
def ben() -> Writer:
    """Somebody who wrote two notes, changed one and published them."""
    writer = Writer()
    writer.add("note", 3, comment="one")
    writer.add("note", 4, tags=["two"])
    writer.add("edit", 3, of=1, comment="uno")
    writer.add("publication", 9)
    return writer


CHANGES = [
    (0, rb'"version":1', rb'"version":2', "format version 1"),
    (0, rb".*", rb'{"record":1}\n', "does not begin with"),
    (0, rb'"game":', rb'"gone":1,"game":', "not written in the one way"),
    (1, rb"one", rb"two", "the hash of entry 1"),
    (1, rb":", rb": ", "not written in the one way"),
    (1, rb"\n", rb"\r\n", "not written in the one way"),
    (1, rb"\n", rb"", "cannot be read"),
    (1, rb".*", b"[" * 50_000 + b"\n", "cannot be read"),
    (1, rb".*", b'"' + b"x" * 60_000 + b'"\n', "at most 60000 bytes"),
    (1, rb".*", rb"", "entry 1 is missing"),
    (3, rb"(.*)", rb"\1\1", "sets stand in the order"),
    (2, rb'"number":2', rb'"number":2.0', "not written|impossible|cannot be"),
    (-1, rb'"end":4', rb'"end":3', "another number"),
    (-1, rb".*", rb"", "cut off"),
    (-1, rb"(.*)", rb"\1\n", "goes on after its end"),
]
"""Which line, what in it, by what it is replaced, and what is said of it."""


@pytest.mark.parametrize(("place", "what", "by", "reason"), CHANGES, ids=range(len(CHANGES)))
def test_a_changed_file_is_refused(ben: Writer, place: int, what: bytes, by: bytes, reason: str) -> None:
    """It says at which line, and why."""
    lines = lines_of(ben)
    lines[place] = re.sub(what, by, lines[place], count=1, flags=re.DOTALL)
    changed = b"".join(lines).splitlines(keepends=True)

    with pytest.raises(FileBroken, match=reason):
        read_file(changed)


def test_sets_of_another_game_are_not_joined() -> None:
    """Nor taken into the same book."""
    other = Writer(game="another")
    entry = other.add("note", 1, comment="x")
    with pytest.raises(AnnotationBroken, match="about the game another"):
        AnnotationBook.of(GAME, [entry])
    with pytest.raises(AnnotationBroken, match="about the game"):
        AnnotationBook(GAME).merge(AnnotationBook("another"))


def test_a_set_that_forked_is_not_joined(ben: Writer) -> None:
    """Two of its author's devices wrote on at once: nobody decides for them."""
    one, other = Writer(), Writer()
    for writer, comment in ((one, "here"), (other, "there")):
        writer.add("note", 3, comment="shared")
        writer.add("note", 3, comment=comment)
    with pytest.raises(AnnotationRefused, match="went on differently"):
        AnnotationBook.of(GAME, one.written.entries).merge(AnnotationBook.of(GAME, other.written.entries))


REFUSED = [
    ("edit", {"of": 9, "comment": "x"}, "no_such_annotation"),
    ("withdrawal", {"of": 4}, "no_such_annotation"),
    ("publication", {}, "nothing_to_publish"),
    ("reply", {"to": {"set": set_id("a"), "number": 1, "hash": "0" * 64}}, "no_such_annotation"),
]


@pytest.mark.parametrize(("kind", "data", "code"), REFUSED, ids=lambda each: str(each)[:20])
def test_what_may_not_follow_is_refused(ben: Writer, kind: str, data: dict[str, object], code: str) -> None:
    """And the set is what it was."""
    head = ben.written.head
    with pytest.raises(AnnotationRefused) as refused:
        ben.add(kind, 3, **data)
    assert refused.value.code == code
    assert ben.written.head == head


def test_an_entry_belongs_to_one_author_game_moment_and_time(ben: Writer) -> None:
    """Somebody else's, an older one, and an edit at another moment are not linked."""
    head = ben.written.head
    for stranger in (
        Writer(author=Author("file", "Eve"), written=ben.written),
        Writer(game="other", written=ben.written),
        Writer(set_id("z"), written=ben.written),
    ):
        with pytest.raises(AnnotationBroken):
            stranger.add("note", 1, comment="x")
    with pytest.raises(AnnotationBroken, match="another moment"):
        ben.add("edit", 5, of=1, comment="x")
    assert ben.written.head == head


def test_bounds_hold_for_what_is_known_and_the_rest_is_kept() -> None:
    """A tag that is too long is refused; a member of a later release is not looked into."""
    wrong: list[dict[str, Any]] = [{"later": 1.5}, {"later": 2**53}, {"9a": 1}, {"later": "\ud800"}]
    for data in (
        *wrong,
        {"tags": ["x" * 41]},
        {"comment": 5},
        {"comment": "x" * 8001},
        {"variations": ["<script>"]},
    ):
        with pytest.raises(AnnotationBroken):
            Writer().entry("note", 1, **data)
    kept = Writer().add("note", 1, later={"a": [1, "ü", None]})
    assert canonical(kept.written["data"]) == '{"later":{"a":[1,"ü",null]}}'.encode()


def test_a_record_without_annotations_reads_as_a_file_without_sets() -> None:
    """So a record can be given wherever a file can."""
    binding, book = read_sets(WHOLE.read_bytes().splitlines(keepends=True))
    assert binding.game == GAME
    assert not book.sets
