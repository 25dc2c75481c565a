"""Sets of a game as a file: NDJSON with a header, a line for each entry and an end; docs/annotation-format.md.

There is one way to write a line, canonical JSON, and one order of lines, so the same sets are always the same bytes.
A file is hostile input: bounded, read line by line, and nothing in it is ever executed.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from events.chain.canonical import canonical
from events.game.record import read_record
from replay.annotations.book import LARGEST, AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import (
    LONGEST_LINE,
    LONGEST_NAME,
    AnnotationBroken,
    AnnotationEntry,
    parse_entry,
)
from replay.records.shape import HEX_32_BYTES

FORMAT: Final = 1
"""Version of the format that is written."""
NAME: Final = "fieldbook-annotations"
LARGEST_FILE: Final = LARGEST + 2 * LONGEST_LINE
"""Bytes of a file at most."""
_IS_RECORD: Final = re.compile(rb'\s*\{\s*"record"')
_decode = msgspec.json.Decoder().decode


class Binding(msgspec.Struct, frozen=True):
    """Which game a file is about: its id, and the chain hash after its first entry."""

    game: str
    hash: str


class FileBroken(Exception):
    """A file of annotations does not hold together.

    Attributes:
        line: the number of the line, counted from 1.
        reason: what is wrong there.
    """

    def __init__(self, line: int, reason: str) -> None:
        """Say at which line the file breaks, and why."""
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def write_file(binding: Binding, book: AnnotationBook) -> Iterator[bytes]:
    """The lines of a file with all of a book, each with its line feed."""
    header = {"annotations": NAME, "game": binding.game, "hash": binding.hash, "version": FORMAT}
    digest = hashlib.sha256()
    count = 0
    for line in _lines(header, book):
        digest.update(line)
        count += 1
        yield line
    yield canonical({"end": count - 1, "sha256": digest.hexdigest()}) + b"\n"


def _lines(header: dict[str, Any], book: AnnotationBook) -> Iterator[bytes]:
    yield canonical(header) + b"\n"
    for entry in book.entries:
        yield entry.line


def read_file(lines: Iterable[bytes]) -> tuple[Binding, AnnotationBook]:
    """Read a file.

    Raises:
        FileBroken
    """
    digest = hashlib.sha256()
    rest = iter(lines)
    first = next(rest, b"")
    binding = _header(first)
    book = AnnotationBook(binding.game)
    digest.update(first)
    last = ("", 0)
    number = 1
    for number, line in enumerate(rest, start=2):
        value = _value(number, line)
        if value.keys() == {"end", "sha256"}:
            if value != {"end": number - 2, "sha256": digest.hexdigest()}:
                raise FileBroken(number, "the end names another number of entries, or another hash")
            if next(rest, None) is not None:
                raise FileBroken(number, "the file goes on after its end")
            return binding, book
        entry = _entry(number, value)
        if (entry.set, entry.number) <= last:
            raise FileBroken(number, "sets stand in the order of their ids")
        last = entry.set, entry.number
        _append(number, book, entry)
        digest.update(line)
    raise FileBroken(number + 1, "the file is cut off here: its end is missing")


def read_sets(lines: Iterable[bytes]) -> tuple[Binding, AnnotationBook]:
    """Read a file of annotations, or what a record carries of them.

    Of a record only the beginning is read: whether it verifies is not asked.

    Raises:
        FileBroken, RecordBroken
    """
    rest = iter(lines)
    first = next(rest, b"")
    if not _IS_RECORD.match(first):
        return read_file(_again(first, rest))
    header, forms = read_record(_again(first, rest))
    form = next(forms)
    book = AnnotationBook(header.game)
    for number, line in enumerate(forms.annotations, start=2):
        _append(number, book, _entry(number, {"annotation": line.annotation, "hash": line.hash}))
    return Binding(header.game, form.hash), book


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _header(line: bytes) -> Binding:
    value = _value(1, line)
    if value.get("annotations") != NAME:
        raise FileBroken(1, f"this is no file of annotations: it does not begin with {NAME}")
    if value.get("version") != FORMAT:
        raise FileBroken(1, f"format version {FORMAT} can be read, and this is another one")
    if value.keys() != {"annotations", "game", "hash", "version"}:
        raise FileBroken(1, "the header has the members annotations, game, hash and version")
    game, chain_hash = value["game"], value["hash"]
    if not (
        isinstance(game, str)
        and 0 < len(game) <= LONGEST_NAME
        and isinstance(chain_hash, str)
        and HEX_32_BYTES.fullmatch(chain_hash)
    ):
        raise FileBroken(1, "the header names no game and no hash")
    return Binding(game, chain_hash)


def _value(number: int, line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise FileBroken(number, f"a line has at most {LONGEST_LINE} bytes")
    try:
        value = _decode(line)
        is_canonical = isinstance(value, dict) and canonical(value) + b"\n" == line
    except (msgspec.DecodeError, ValueError, RecursionError, TypeError) as error:
        raise FileBroken(number, f"this line cannot be read: {error}") from error
    if not is_canonical:
        raise FileBroken(number, "this line is not written in the one way there is")
    found: dict[str, Any] = value
    return found


def _entry(number: int, value: dict[str, Any]) -> AnnotationEntry:
    if value.keys() != {"annotation", "hash"} or not isinstance(value["annotation"], dict):
        raise FileBroken(number, "here must stand an annotation and its hash")
    if not isinstance(value["hash"], str):
        raise FileBroken(number, "a hash is a text")
    try:
        return parse_entry(value["annotation"], value["hash"])
    except AnnotationBroken as broken:
        raise FileBroken(number, str(broken)) from broken


def _append(number: int, book: AnnotationBook, entry: AnnotationEntry) -> None:
    try:
        book.append(entry)
    except (AnnotationBroken, AnnotationRefused) as broken:
        raise FileBroken(number, str(broken)) from broken
