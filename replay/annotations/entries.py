"""One entry of a set, and the hash that links it to the entry before it.

    hash = SHA-256(hash of the entry before it (32 bytes; zeros for the first) + canonical JSON of the entry)

An entry is kept as it was written, with members that are not known here, because the hash is over all of them.
"""

import re
from typing import Any, Final

import msgspec

from events.chain.canonical import canonical
from events.chain.hash_chain import GENESIS, link
from events.rules.definition.names import check_name
from events.rules.errors import BadName
from replay.annotations.content import LONGEST_COMMENT, AnnotationRefused, Content, parse_content
from replay.records.shape import HEX_32_BYTES, LARGEST

LONGEST_LINE: Final = 60_000
"""Bytes of one entry as a line at most, with its line feed."""
SET: Final = r"[0-9a-z]{20}"
"""The form of a set's id: nobody meets another's by accident."""
LONGEST_NAME: Final = 120
_DEEPEST: Final = 7
"""Levels of an entry at most; its line is one more."""
_MOST_MEMBERS: Final = 1_000
_MEMBER: Final = re.compile(r"[ -/:-~][ -~]{0,63}", re.ASCII)
_SET: Final = re.compile(SET, re.ASCII)


class AnnotationBroken(Exception):
    """This is no entry, or not the next one of its set; the message says why."""


class Author(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who wrote a set. Members that are not known here are kept where the entry is."""

    kind: str
    """`seat`, `key` and `spectator` were vouched for by the service that wrote the entry; `file` is just a name."""
    name: str
    seat: int | None = None
    key: str = ""
    """The id of a key."""
    spectator: str = ""
    """The id of a spectator."""


class Moment(msgspec.Struct, frozen=True):
    """A version of the game and the chain hash after it."""

    version: int
    hash: str


class _Members(msgspec.Struct, frozen=True):
    """The members of an entry that are known here."""

    game: str
    set: str
    number: int
    kind: str
    at: int
    author: Author
    moment: Moment
    data: dict[str, Any]


class AnnotationEntry(_Members, frozen=True):
    """One entry as it is read.

    Attributes:
        at: when it was written, in milliseconds since 1970-01-01 UTC.
        written: the whole entry as it was written.
        content: what it says; None for a kind that is not known here.
        hash: the hash after it.
    """

    written: dict[str, Any]
    content: Content | None
    hash: str

    @property
    def line(self) -> bytes:
        """The entry as a line of a file or a record."""
        return canonical({"annotation": self.written, "hash": self.hash}) + b"\n"


def parse_entry(written: dict[str, Any], chain_hash: str) -> AnnotationEntry:
    """Read an entry; that its hash follows from the one before is not asked here.

    Raises:
        AnnotationBroken
    """
    _check_plain(written, _DEEPEST)
    try:
        members = msgspec.convert(written, _Members)
        content = parse_content(members.kind, members.data)
    except msgspec.ValidationError as error:
        raise AnnotationBroken(f"this is no annotation: {error}") from error
    except AnnotationRefused as refused:
        raise AnnotationBroken(refused.detail) from refused
    entry = AnnotationEntry(
        **msgspec.structs.asdict(members), written=written, content=content, hash=chain_hash
    )
    fits = (
        _SET.fullmatch(entry.set)
        and HEX_32_BYTES.fullmatch(entry.moment.hash)
        and HEX_32_BYTES.fullmatch(chain_hash)
        and min(entry.number, entry.moment.version) >= 1
        and entry.at >= 0
        and max(map(len, (entry.kind, entry.game, entry.author.name, entry.author.kind))) <= LONGEST_NAME
    )
    if not fits:
        raise AnnotationBroken("its set, number, version, time, a name or a hash cannot be")
    if len(entry.line) > LONGEST_LINE:
        raise AnnotationBroken(f"an annotation has at most {LONGEST_LINE} bytes")
    return entry


def is_linked(entry: AnnotationEntry, previous: str) -> bool:
    """Whether an entry's hash follows from the hash before it."""
    return link(previous, entry.written) == entry.hash


def new_entry(
    *,
    game: str,
    set_id: str,
    number: int,
    previous: str = GENESIS,
    author: Author,
    at: int,
    kind: str,
    moment: Moment,
    data: dict[str, Any],
) -> AnnotationEntry:
    """Write an entry after the one whose hash is `previous`.

    Raises:
        AnnotationBroken: it is out of bounds.
    """
    written: dict[str, Any] = {
        "at": at,
        "author": msgspec.to_builtins(author),
        "data": data,
        "game": game,
        "kind": kind,
        "moment": msgspec.to_builtins(moment),
        "number": number,
        "set": set_id,
    }
    _check_plain(written, _DEEPEST)
    check_author(author)
    return parse_entry(written, link(previous, written))


def check_author(author: Author) -> None:
    """Refuse to write or to take over what an author says whose name breaks the rule for names.

    What was written is read with any name: the rule depends on the version of Unicode.

    Raises:
        AnnotationBroken
    """
    try:
        if author.name:
            check_name(author.name, longest=LONGEST_NAME)
    except BadName as refused:
        raise AnnotationBroken(f"the author's name is refused: {str(refused).removesuffix('.')}") from refused


def _check_plain(value: Any, levels: int) -> None:
    """Demand what every language reads alike: integers of 53 bits, whole characters, plain names, few levels."""
    match value:
        case bool() | None:
            return
        case int():
            holds = abs(value) <= LARGEST
        case str():
            holds = len(value) <= LONGEST_COMMENT and not any("\ud800" <= each <= "\udfff" for each in value)
        case list():
            holds = levels > 0 and len(value) <= _MOST_MEMBERS
        case dict():
            holds = levels > 0 and len(value) <= _MOST_MEMBERS and all(map(_MEMBER.fullmatch, value))
        case _:
            holds = False
    if not holds:
        raise AnnotationBroken("it has a number, text, name or depth that cannot be")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_plain(each, levels - 1)
