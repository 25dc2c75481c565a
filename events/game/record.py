"""The record: one game in one self-contained NDJSON file, in the scope of whoever asked for it.

Line 1 is the header (format version, game, scope, the catalogue itself, and the secret once it is open), then comes
one line per entry with its salts and chain hash, then what is attached (signatures, proofs), and the last line says
at which version and hash the record ends, so a file that was cut off is noticed. Annotations, where a record carries
them, stand before the entries, so that a reader can show and check each one when its moment comes. Specified in
docs/record-format.md.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec

from events.chain.canonical import canonical
from events.game.table import Table
from events.log.disclosure import Form, viewer_name
from events.rules.catalogues.catalogue import Catalogue

FORMAT: Final = 1
"""Version of the record format."""
LONGEST_LINE = 1_000_000
"""Bytes in one line at most: a record is hostile input."""
MOST_ATTACHED = 10_000_000
"""Bytes of all attachments at most: they are kept until the record ends."""
MOST_ANNOTATED = 10_000_000
"""Bytes of all annotations at most: what they are bound to is kept until it was read."""
KINDS = ("key", "head", "inclusion", "consistency")
"""What can be attached, in this order: published keys, the signed head, proofs from the log."""


_Line = TypeVar("_Line", bound=msgspec.Struct)
_encode = msgspec.json.Encoder().encode
_IS_END = re.compile(rb'\s*\{\s*"end"')
_IS_ANNOTATION = re.compile(rb'\s*\{\s*"annotation"')
_IS_ATTACHED = re.compile(rb'\s*\{\s*"attached"')


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line."""

    record: int
    """Version of the record format."""
    game: str
    scope: str
    """`seat:0` and so on, `public` or `all`: whose view the entries are."""
    catalogue: Catalogue
    secret: str = ""
    """The secret that the last entry opens, so that one reading suffices; empty while it is not open."""
    attached: tuple[str, ...] = ()
    """The kinds of what is attached, in order: what was taken away is missed."""
    annotations: int = 0
    """How many annotations stand before the entries, likewise."""


class AnnotationLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line before the entries: something that was said about the game, with the hash of its own chain."""

    annotation: dict[str, Any]
    hash: str


class Attachment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line after the entries: something about the game that its chain cannot hold."""

    attached: str
    """One of `KINDS`."""
    content: str


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


class Forms(Iterator[Form]):
    """The entries of a record, read as they are asked for.

    Attributes:
        annotations: what was said about the game; complete once the first entry was read.
        attachments: what the record holds besides; complete once every entry was read.
    """

    def __init__(self, header: Header, lines: Iterator[bytes]) -> None:
        """Read what follows the header."""
        self.annotations: list[AnnotationLine] = []
        self.attachments: list[Attachment] = []
        self._header = header
        self._lines = lines
        self._ahead: bytes | None = None
        self._version, self._head = 0, ""
        self._forms = self._read(self._rest())

    def __next__(self) -> Form:
        """The next entry.

        Raises:
            RecordBroken: it cannot be read, or the record does not end as it should.
        """
        return next(self._forms)

    def next_line(self) -> bytes:
        """The line that is read next, where an entry may stand behind another one; empty elsewhere.

        It stays unread, until `skip` or the next entry is asked for.
        """
        if self._version == 0 or self.attachments:
            return b""
        if self._ahead is None:
            self._ahead = next(self._lines, None)
        line = self._ahead or b""
        return line if len(line) <= LONGEST_LINE else b""

    def skip(self, head: str) -> None:
        """Leave the next line unread: whoever asked for it knows it to be the next entry, with this chain hash."""
        self._ahead = None
        self._version += 1
        self._head = head

    def _rest(self) -> Iterator[bytes]:
        while True:
            line, self._ahead = self._ahead, None
            if line is None:
                line = next(self._lines, None)
            if line is None:
                return
            yield line

    def _read(self, lines: Iterator[bytes]) -> Iterator[Form]:
        self._read_annotations(lines)
        size = 0
        for line in lines:
            version = self._version
            if _IS_END.match(line):
                self._check_end(_decode(line, End, version))
                if next(lines, None) is not None:
                    raise RecordBroken(version, "the record goes on after its end")
                return
            if _IS_ATTACHED.match(line):
                size += len(line)
                if size > MOST_ATTACHED:
                    raise RecordBroken(version, f"more than {MOST_ATTACHED} bytes are attached")
                self.attachments.append(_decode(line, Attachment, version))
                continue
            if self.attachments:
                raise RecordBroken(version + 1, "an entry stands after what is attached to the record")
            form = _decode(line, _FormLine, version + 1)
            found: Any = form.entry.get("version")
            if type(found) is not int or found != version + 1:
                raise RecordBroken(
                    version + 1, f"this entry is missing; found {str(found)[:20]} in its place"
                )
            self._version, self._head = found, form.hash
            yield form
        raise RecordBroken(self._version + 1, "the record is cut off here: its end is missing")

    def _read_annotations(self, lines: Iterator[bytes]) -> None:
        size = 0
        for line in islice(lines, self._header.annotations):
            size += len(line)
            if size > MOST_ANNOTATED:
                raise RecordBroken(0, f"more than {MOST_ANNOTATED} bytes are annotations")
            if not _IS_ANNOTATION.match(line):
                raise RecordBroken(0, "the header says that more annotations stand here")
            self.annotations.append(_decode(line, AnnotationLine, 0))

    def _check_end(self, end: End) -> None:
        version = self._version
        if (end.end, end.hash) != (version, self._head):
            missing = end.end > version
            reason = f"the record says that it ends with version {end.end} and hash {end.hash[:8]}"
            raise RecordBroken(version + missing, reason)
        kinds = tuple(each.attached for each in self.attachments)
        if kinds != self._header.attached:
            raise RecordBroken(
                version,
                f"the header says that {_listed(self._header.attached)} is attached, not {_listed(kinds)}",
            )


def header_for(table: Table, viewer: int) -> Header:
    """The header of this viewer's record of a game as it stands."""
    secret = table.secret if table.state.status == "finished" else ""
    return Header(FORMAT, table.game, viewer_name(viewer), table.rules.catalogue, secret)


def write_record(
    header: Header,
    forms: Iterable[Form],
    attachments: Sequence[Attachment] = (),
    annotations: Sequence[bytes] = (),
) -> Iterator[bytes]:
    """The lines of a record, each with its line break; annotations are given as lines."""
    attached = tuple(each.attached for each in attachments)
    yield _encode(msgspec.structs.replace(header, attached=attached, annotations=len(annotations))) + b"\n"
    yield from annotations
    version, head = 0, ""
    for form in forms:
        version, head = form.entry["version"], form.hash
        yield encode_form(form)
    for attachment in attachments:
        yield _encode(attachment) + b"\n"
    yield _encode(End(version, head)) + b"\n"


def encode_form(form: Form) -> bytes:
    """The line of an entry in a record."""
    return _encode(form) + b"\n"


def read_record(lines: Iterable[bytes]) -> tuple[Header, Forms]:
    """Read a record line by line; the forms are read as they are asked for.

    Checked here: shape, size, and that the end names the last entry. Everything else is a verifier's work.

    Raises:
        RecordBroken: at once for the header, later while the forms are read.
    """
    rest = iter(lines)
    header = _decode(next(rest, b""), Header, 0)
    if header.record != FORMAT:
        raise RecordBroken(0, f"this is record format {header.record}; format {FORMAT} can be read")
    if header.annotations < 0:
        raise RecordBroken(0, f"a record cannot have {header.annotations} annotations")
    if any(list(bean.beanometer) != sorted(bean.beanometer) for bean in header.catalogue.beans):
        raise RecordBroken(0, "the steps of a beanometer stand in rising order")
    if header.attached != tuple(sorted(header.attached, key=_place)):
        raise RecordBroken(0, f"what is attached stands in the order {_listed(KINDS)}")
    return header, Forms(header, rest)


def is_record(first_line: bytes) -> bool:
    """Whether a file that begins with this line is meant as a record: an object that names the record's format.

    Whatever else may be wrong with it is a finding about a record; without this line there is no record at all.
    """
    try:
        header = msgspec.json.decode(first_line[:LONGEST_LINE])
    except (msgspec.DecodeError, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and type(header.get("record")) is int


def _place(kind: str) -> int:
    if kind not in KINDS:
        raise RecordBroken(
            0, f"nothing of the kind {kind[:20]!r} can be attached; there are {_listed(KINDS)}"
        )
    return KINDS.index(kind)


def _listed(kinds: Sequence[str]) -> str:
    return ", ".join(kind[:20] for kind in kinds[:10]) or "nothing"


def _decode(line: bytes, struct: type[_Line], version: int) -> _Line:
    if len(line) > LONGEST_LINE:
        raise RecordBroken(version, f"a line is longer than {LONGEST_LINE} bytes")
    try:
        value = msgspec.json.decode(line, type=struct)
        if msgspec.json.encode(value) + b"\n" != line:
            _check_written(line, value)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordBroken(version, f"this line cannot be read: {error}") from error
    return value


def _check_written(line: bytes, value: msgspec.Struct) -> None:
    """Refuse a line that says the same as a genuine one, but in other bytes: two readers could take two meanings."""
    read = json.loads(line, object_pairs_hook=_each_member_once)
    if json.dumps(read, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" != line:
        raise ValueError("it is not written in the one way there is, or does not end with a line feed")
    if list(read) != list(msgspec.to_builtins(value)) or canonical(read) != canonical(value):
        raise ValueError("its members stand in another order, or one that has its default is not left out")


def _each_member_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, refused where it names a member twice."""
    read = dict(members)
    if len(read) != len(members):
        raise ValueError("an object names a member twice")
    return read
