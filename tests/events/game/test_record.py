"""The record file: written, read, and noticed when it was cut off, reordered, altered or made to harm."""

from collections.abc import Callable

import msgspec
import pytest

from events.game.record import FORMAT, LONGEST_LINE, End, Header, RecordBroken, read_record, write_record
from events.log.disclosure import ALL, PUBLIC, Form, form_for, viewer_name
from tests.support.tables import new_game

TABLE, LOG = new_game()


def lines(viewer: int = PUBLIC) -> list[bytes]:
    """The record of a game that has just begun."""
    header = Header(FORMAT, "game", viewer_name(viewer), TABLE.rules.catalogue)
    return [*write_record(header, (form_for(entry, TABLE.key, viewer) for entry in LOG))]


def read(record: list[bytes]) -> list[Form]:
    """All entries of a record."""
    _, forms = read_record(record)
    return [*forms]


@pytest.mark.parametrize("viewer", [PUBLIC, ALL, 0, 2])
def test_a_record_reads_back(viewer: int) -> None:
    """Header, entries and end, each on a line of its own."""
    record = lines(viewer)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in record)
    header, forms = read_record(record)
    assert (header.record, header.game, header.scope) == (FORMAT, "game", viewer_name(viewer))
    assert header.catalogue.hash() == TABLE.state.catalogue
    sent = [form_for(entry, TABLE.key, viewer) for entry in LOG]
    assert [msgspec.to_builtins(form) for form in forms] == [msgspec.to_builtins(form) for form in sent]


def test_the_last_line_break_is_part_of_a_record() -> None:
    """There is one way to write a record: a byte that is missing is noticed."""
    record = lines()

    with pytest.raises(RecordBroken, match="does not end with a line feed"):
        read([*record[:-1], record[-1].rstrip(b"\n")])


@pytest.mark.parametrize(
    ("written", "changed"),
    [
        (b":", b": "),
        (b"\n", b"\r\n"),
        (b'"type"', b'"\\u0074ype"'),
        (b'"version":1', b'"version":1.0'),
        (b'"record":1', b'"record":1,"secret":""'),
        (b'"record":1', b'"record":1,"attached":[]'),
    ],
    ids=lambda part: part.decode().strip(),
)
def test_a_record_written_in_another_way_is_refused(written: bytes, changed: bytes) -> None:
    """No white space, no needless escapes, nothing that has its default: bytes that mean nothing cannot change."""
    record = lines()
    other = [line.replace(written, changed, 1) for line in record[:3]]
    assert other != record[:3]

    with pytest.raises(RecordBroken):
        read([*other, *record[3:]])


def test_a_game_without_entries_has_a_record() -> None:
    """A header and an end."""
    header = Header(FORMAT, "game", "public", TABLE.rules.catalogue)
    assert read([*write_record(header, [])]) == []


def _end(version: int, head: str) -> bytes:
    return msgspec.json.encode(End(version, head)) + b"\n"


DAMAGE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "empty": (lambda _: [], 0),
    "header missing": (lambda r: r[1:], 0),
    "header of another format": (lambda r: [r[0].replace(b'{"record":1', b'{"record":2'), *r[1:]], 0),
    "header with more": (lambda r: [r[0].replace(b'{"record":1', b'{"x":0,"record":1'), *r[1:]], 0),
    "header only": (lambda r: r[:1], 1),
    "cut off before the end": (lambda r: r[:-1], len(LOG) + 1),
    "cut off in the middle": (lambda r: r[:6], 6),
    "cut off in a line": (lambda r: [*r[:6], r[6][:40]], 6),
    "a line is missing": (lambda r: r[:5] + r[6:], 5),
    "the last entry is missing": (lambda r: r[:-2] + r[-1:], len(LOG)),
    "two lines swapped": (lambda r: [*r[:4], r[5], r[4], *r[6:]], 4),
    "a line twice": (lambda r: r[:5] + r[4:], 5),
    "goes on after its end": (lambda r: [*r, r[-2]], len(LOG)),
    "two ends": (lambda r: [*r, r[-1]], len(LOG)),
    "another end hash": (lambda r: [*r[:-1], _end(len(LOG), "0" * 64)], len(LOG)),
    "no JSON": (lambda r: [*r[:3], b"beans\n", *r[4:]], 3),
    "an empty line": (lambda r: [*r[:3], b"\n", *r[3:]], 3),
    "no UTF-8": (lambda r: [*r[:3], b'{"entry":{"version":3,"x":"\xff"},"salts":{},"hash":""}\n', *r[4:]], 3),
    "another shape": (lambda r: [*r[:3], b'{"entry":[],"salts":{},"hash":""}\n', *r[4:]], 3),
    "more in a line": (lambda r: [*r[:3], r[3].replace(b'{"entry"', b'{"more":1,"entry"'), *r[4:]], 3),
    "a member twice": (lambda r: [*r[:3], r[3].replace(b'{"version"', b'{"at":1,"version"'), *r[4:]], 3),
    "a version that is no number": (
        lambda r: [*r[:3], r[3].replace(b'"version":3', b'"version":"3"'), *r[4:]],
        3,
    ),
    "a version that is true": (lambda r: [r[0], r[1].replace(b'"version":1', b'"version":true'), *r[2:]], 1),
    "too long": (lambda r: [*r[:3], b" " * LONGEST_LINE + r[3], *r[4:]], 3),
    "deeply nested": (
        lambda r: [*r[:3], b'{"entry":' + b'{"a":' * 100_000 + b"0" + b"}" * 100_001, *r[4:]],
        3,
    ),
    "deeply nested lists": (lambda r: [*r[:3], b"[" * 400_000 + b"]" * 400_000, *r[4:]], 3),
    "a deeply nested header": (lambda r: [b'{"catalogue":' * 50_000 + b"0" + b"}" * 50_000, *r[1:]], 0),
}
"""What can be wrong with a record: the damage, and the version at which it must be noticed."""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_record_is_noticed_where_it_breaks(damage: str) -> None:
    """With the version and a reason, and never by anything but RecordBroken."""
    spoil, version = DAMAGE[damage]
    with pytest.raises(RecordBroken) as broken:
        read(spoil(lines()))
    assert broken.value.version == version
    assert broken.value.reason
    assert len(str(broken.value)) < 500


def test_entries_are_read_as_they_are_asked_for() -> None:
    """A long record need not fit in memory, and damage behind is found when one gets there."""
    record = lines()
    _, forms = read_record([*record[:4], b"beans\n"])
    assert [next(forms).entry["version"] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(RecordBroken):
        next(forms)
