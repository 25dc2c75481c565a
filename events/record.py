"""The record: one game in one self-contained NDJSON file, in the scope of whoever asked for it.

Line 1 is the header (format version, game, scope, the catalogue itself), then comes one line per entry with
its salts and chain hash, and the last line says at which version and hash the record ends, so a file that was
cut off is noticed. Specified in docs/record-format.md.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from events.disclosure import Form
from events.rules.catalogue import Catalogue

FORMAT = 1
"""Version of the record format."""
LONGEST_LINE = 1_000_000
"""Bytes in one line at most: a record is hostile input."""


_Line = TypeVar("_Line")
_IS_END = re.compile(rb'\s*\{\s*"end"')


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    record: int
    """Version of the record format."""
    game: str
    scope: str
    """`seat:0` and so on, `public` or `all`: whose view the entries are."""
    catalogue: Catalogue


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the version and the chain hash of the last entry."""

    end: int
    hash: str


class _FormLine(Form, frozen=True, forbid_unknown_fields=True):
    """A line between the first and the last: what the chain does not cover must not be there."""


class RecordBroken(Exception):
    """A record does not hold together.

    Attributes:
        version: the version of the entry at which it breaks; 0 for the header.
        reason: what is wrong there.
    """

    def __init__(self, version: int, reason: str) -> None:
        """Say at which version the record breaks, and why."""
        super().__init__(f"version {version}: {reason}")
        self.version = version
        self.reason = reason


def write_record(header: Header, forms: Iterable[Form]) -> Iterator[bytes]:
    """The lines of a record, each with its line break."""
    encoder = msgspec.json.Encoder()
    yield encoder.encode(header) + b"\n"
    version, head = 0, ""
    for form in forms:
        version, head = form.entry["version"], form.hash
        yield encoder.encode(form) + b"\n"
    yield encoder.encode(End(version, head)) + b"\n"


def read_record(lines: Iterable[bytes]) -> tuple[Header, Iterator[Form]]:
    """Read a record line by line; the forms are read as they are asked for.

    Checked here: shape, size, and that the end names the last entry. Everything else is a verifier's work.

    Raises:
        RecordBroken: at once for the header, later while the forms are read.
    """
    rest = iter(lines)
    header = _decode(next(rest, b""), Header, 0)
    if header.record != FORMAT:
        raise RecordBroken(0, f"this is record format {header.record}; format {FORMAT} can be read")
    return header, _forms(rest)


def _forms(lines: Iterator[bytes]) -> Iterator[Form]:
    version, head = 0, ""
    for line in lines:
        if _IS_END.match(line):
            end = _decode(line, End, version)
            if (end.end, end.hash) != (version, head):
                missing = end.end > version
                reason = f"the record says that it ends with version {end.end} and hash {end.hash[:8]}"
                raise RecordBroken(version + missing, reason)
            if next(lines, None) is not None:
                raise RecordBroken(version, "the record goes on after its end")
            return
        form = _decode(line, _FormLine, version + 1)
        found: Any = form.entry.get("version")
        if type(found) is not int or found != version + 1:
            raise RecordBroken(version + 1, f"this entry is missing; found {str(found)[:20]} in its place")
        version, head = found, form.hash
        yield form
    raise RecordBroken(version + 1, "the record is cut off here: its end is missing")


def _decode(line: bytes, struct: type[_Line], version: int) -> _Line:
    if len(line) > LONGEST_LINE:
        raise RecordBroken(version, f"a line is longer than {LONGEST_LINE} bytes")
    try:
        value = msgspec.json.decode(line, type=struct)
        if msgspec.json.encode(value) != line.rstrip(b"\n"):
            json.loads(line, object_pairs_hook=_each_member_once)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordBroken(version, f"this line cannot be read: {error}") from error
    return value


def _each_member_once(members: list[tuple[str, Any]]) -> None:
    """Refuse an object that names a member twice: two readers could take two meanings from it."""
    names = [name for name, _ in members]
    if len(set(names)) != len(names):
        raise ValueError("an object names a member twice")
