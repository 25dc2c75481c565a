"""What an entry says: a note, a reply to one, an edit, a withdrawal, or the publication of a set.

Members that are not known here belong to a later release and are kept as they are. What is known must have its type
and keep within these bounds; whether codes are known is asked only of what is written anew.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from replay.annotations.glyphs import MOVES, OBSERVATIONS, OF_SEATS, POSITIONS
from replay.annotations.marks import COLOURS, is_place, seat_of

LONGEST_COMMENT: Final = 8_000
"""Characters of a comment at most, and of the reason of a withdrawal."""
LONGEST_TITLE: Final = 120
MOST: Final = {"observations": 20, "marks": 40, "arrows": 40, "tags": 20, "variations": 12}
"""How many of each one note has at most."""
MOST_SEATS: Final = 10
LONGEST_TAG: Final = 40
"""Characters of a tag, a code or a place at most."""
LONGEST_VARIATION: Final = 3_000
"""Characters of one token of a branch at most."""
VARIATION: Final = r"[A-Za-z0-9._~:=+/-]+"
"""The form of a token; what it means is not looked at here."""
NOTE, REPLY, EDIT, WITHDRAWAL, PUBLICATION = "note", "reply", "edit", "withdrawal", "publication"
_VARIATION: Final = re.compile(VARIATION, re.ASCII)


class AnnotationRefused(Exception):
    """Something cannot be written into a set.

    Attributes:
        code: why, as a stable code.
        detail: the same as a sentence.
    """

    def __init__(self, code: str, detail: str) -> None:
        """Name the reason and say what is wrong."""
        super().__init__(detail)
        self.code = code
        self.detail = detail


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something with members of which each one that has its default is left out."""


class Position(_Part, frozen=True, kw_only=True):
    """Who stands how."""

    glyph: str
    seats: tuple[int, ...] = ()


class Mark(_Part, frozen=True, kw_only=True):
    """Something on the table that is marked."""

    on: str
    colour: str = COLOURS[0]


class Arrow(_Part, frozen=True, kw_only=True):
    """An arrow from one thing on the table to another."""

    start: str
    end: str
    colour: str = COLOURS[0]


class Reference(_Part, frozen=True, kw_only=True):
    """An entry of some set, named so that it cannot be another one."""

    set: str
    number: int
    hash: str


class Note(_Part, frozen=True, kw_only=True):
    """Something said about a moment of the game."""

    comment: str = ""
    """Markdown; nobody here turns it into anything else."""
    move: str = ""
    position: Position | None = None
    observations: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    tags: tuple[str, ...] = ()
    variations: tuple[str, ...] = ()
    """Tokens of branches."""


class Reply(Note, frozen=True, kw_only=True):
    """Something said about a note, or about another reply."""

    to: Reference


class Edit(Note, frozen=True, kw_only=True):
    """What a note or reply of this set says from now on: all of it."""

    of: int
    """The number of the note or reply, not of an earlier edit."""


class Withdrawal(_Part, frozen=True, kw_only=True):
    """A note or reply of this set is taken back."""

    of: int
    reason: str = ""


class Publication(_Part, frozen=True, kw_only=True):
    """Everything that the set holds so far is there for all who may see the game."""

    title: str = ""


Content = Note | Reply | Edit | Withdrawal | Publication
KINDS: Final[dict[str, type[Content]]] = {
    NOTE: Note,
    REPLY: Reply,
    EDIT: Edit,
    WITHDRAWAL: Withdrawal,
    PUBLICATION: Publication,
}
"""Every kind of entry by its name in storage."""


def parse_content(kind: str, data: dict[str, Any]) -> Content | None:
    """What an entry says; None for a kind that is not known here.

    Raises:
        AnnotationRefused: a member that is known has another type, or is out of bounds.
    """
    struct = KINDS.get(kind)
    if struct is None:
        return None
    try:
        content = msgspec.convert(data, struct)
    except msgspec.ValidationError as error:
        raise AnnotationRefused("bad_annotation", f"This is no {kind}: {error}.") from error
    _check_bounds(content)
    return content


def check_vocabulary(content: Content, seats: int) -> None:
    """Ask of what is written anew that it says something, in words that there are, about seats that there are.

    Raises:
        AnnotationRefused
    """
    if not isinstance(content, Note):
        return
    named = content.position.seats if content.position else ()
    _check_known("move glyph", [content.move] if content.move else [], MOVES)
    _check_known("position glyph", [content.position.glyph] if content.position else [], POSITIONS)
    _check_known("observation", content.observations, OBSERVATIONS)
    _check_known("colour", _colours(content), COLOURS)
    for place in _places(content):
        if not is_place(place):
            raise AnnotationRefused("bad_annotation", f"{place[:40]!r} is no place on a table.")
    if content.position is not None and bool(named) != (content.position.glyph in OF_SEATS):
        raise AnnotationRefused(
            "bad_annotation", f"The positions {', '.join(sorted(OF_SEATS))} name seats; others name none."
        )
    for seat in (*named, *map(seat_of, _places(content))):
        if seat is not None and not 0 <= seat < seats:
            raise AnnotationRefused("no_such_seat", f"This game has seats 0 to {seats - 1}.")
    if content == empty_like(content):
        raise AnnotationRefused(
            "empty_annotation", "This says nothing: write a comment, a glyph, a mark or a tag."
        )


def empty_like(content: Note) -> Note:
    """The same kind of entry about the same thing, which says nothing."""
    names = [field.name for field in msgspec.structs.fields(Note)]
    nothing = msgspec.structs.asdict(Note())
    return msgspec.structs.replace(content, **{name: nothing[name] for name in names})


def _check_known(what: str, codes: Iterable[str], vocabulary: Iterable[str]) -> None:
    for code in codes:
        if code not in vocabulary:
            raise AnnotationRefused(
                "bad_annotation", f"There is no {what} {code[:40]!r}; there are {', '.join(vocabulary)}."
            )


def _places(content: Note) -> list[str]:
    ends = [place for arrow in content.arrows for place in (arrow.start, arrow.end)]
    return [*(mark.on for mark in content.marks), *ends]


def _colours(content: Note) -> list[str]:
    return [*(mark.colour for mark in content.marks), *(arrow.colour for arrow in content.arrows)]


def _check_bounds(content: Content) -> None:
    for holds, bound in _bounds(content):
        if not holds:
            raise AnnotationRefused("bad_annotation", bound)


def _bounds(content: Content) -> Iterator[tuple[bool, str]]:
    """Every bound on what an entry says, with whether it is kept."""
    match content:
        case Note():
            yield from _bounds_of_note(content)
        case Withdrawal(reason=text):
            yield len(text) <= LONGEST_COMMENT, f"A reason has at most {LONGEST_COMMENT} characters."
        case Publication(title=text):
            yield len(text) <= LONGEST_TITLE, f"A title has at most {LONGEST_TITLE} characters."
    if isinstance(content, Edit | Withdrawal):
        yield content.of >= 1, "Entries are numbered from 1."
    if isinstance(content, Reply):
        yield content.to.number >= 1, "Entries are numbered from 1."


def _bounds_of_note(note: Note) -> Iterator[tuple[bool, str]]:
    yield len(note.comment) <= LONGEST_COMMENT, f"A comment has at most {LONGEST_COMMENT} characters."
    for name, most in MOST.items():
        found = getattr(note, name)
        yield len(found) <= most, f"A note has at most {most} {name}."
        yield len(set(found)) == len(found), f"Of the {name} of a note each one stands only once."
    yield all(note.tags), "A tag is not empty."
    words = [note.move, *note.observations, *note.tags, *_places(note)]
    words += _colours(note)
    words += [note.position.glyph] if note.position else []
    fit = all(len(each) <= LONGEST_TAG for each in words)
    yield fit, f"Tags, codes and places have at most {LONGEST_TAG} characters."
    yield not note.position or len(note.position.seats) <= MOST_SEATS, "A table has fewer seats."
    for token in note.variations:
        good = len(token) <= LONGEST_VARIATION and _VARIATION.fullmatch(token) is not None
        yield (
            good,
            f"The token of a branch has 1 to {LONGEST_VARIATION} letters, digits and any of . _ ~ : = + / -",
        )
