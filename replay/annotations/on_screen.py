"""Annotations as lines of text: nothing that somebody wrote can style or move what is on a screen.

Comments are shown as they were written, Markdown and all, with what a terminal would obey or hide made visible.
"""

from collections.abc import Iterator

from replay.annotations.content import LONGEST_COMMENT, LONGEST_TAG, Note
from replay.annotations.entries import Author
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS, Glyph
from replay.annotations.sets import Standing
from replay.platform.safe_text import safe

_INDENT = "  "


def author_text(author: Author) -> str:
    """What an author is called, with the seat where it is one's."""
    name = safe(author.name, 60) or safe(author.kind, 20)
    return f"{name}, seat {author.seat}" if author.kind == "seat" and author.seat is not None else name


def note_lines(note: Standing) -> Iterator[str]:
    """A note or reply as it stands: who says it, its glyphs, and below them what else it says."""
    content = note.content
    kind = " replies" if note.first.kind == "reply" else ""
    edited = " (edited)" if note.newest is not note.first else ""
    glyphs = "; ".join(_glyphs(content))
    yield f"{author_text(note.first.author)}{kind}{edited}{': ' if glyphs else ''}{glyphs}"
    for line in content.comment.split("\n") if content.comment else ():
        yield _INDENT + safe(line, LONGEST_COMMENT)
    marks = [f"{_word(mark.on)} ({_word(mark.colour)})" for mark in content.marks]
    marks += [f"{_word(each.start)} -> {_word(each.end)} ({_word(each.colour)})" for each in content.arrows]
    for name, found in (
        ("marks", marks),
        ("tags", [_word(tag) for tag in content.tags]),
        ("branches", [safe(token, 60) for token in content.variations]),
    ):
        if found:
            yield f"{_INDENT}{name}: {', '.join(found)}"


def _glyphs(content: Note) -> Iterator[str]:
    if content.move:
        yield _describe_glyph(content.move, MOVES.get(content.move))
    if content.position is not None:
        glyph = POSITIONS.get(content.position.glyph)
        seats = " and ".join(f"seat {seat}" for seat in content.position.seats)
        yield f"{seats} {_describe_glyph(content.position.glyph, glyph)}".strip()
    for code in content.observations:
        yield _describe_glyph(code, OBSERVATIONS.get(code))


def _describe_glyph(code: str, glyph: Glyph | None) -> str:
    """A glyph with its meaning; a code of a later release by itself."""
    return _word(code) if glyph is None else f"{glyph.meaning} {glyph.sign}"


def _word(text: str) -> str:
    return safe(text, LONGEST_TAG)
