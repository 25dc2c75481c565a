"""Annotations as the list of a game shows them: sets, notes, drawn notes, and cursors between pages."""

from itertools import accumulate
from typing import Any, Final

from events.log.disclosure import ALL
from replay.annotations.book import AnnotationBook
from replay.annotations.sets import AnnotationSet, Standing
from replay.commentary import Commentary
from replay.exports.page.notes import render_note
from service.http.context.annotators import owner_named_by
from service.http.context.callers import Viewpoint

MOST_DRAWN: Final = 32_000
"""Characters of comments that a page of drawn annotations has at most, but for a single one: Markdown can take 15 us
for each."""


def describe_set(each: AnnotationSet, owner: str) -> dict[str, Any]:
    """A set: `AnnotationSetAnswer` of the contract."""
    return {
        "set": each.id,
        "title": each.title,
        "author": each.entries[0].written["author"],
        "owner": owner,
        "entries": each.number,
        "hash": each.head,
        "published": each.published,
        "taken_over": owner_named_by(each.author) != owner,
    }


def take_drawable(notes: list[Standing]) -> list[Standing]:
    """The first of these notes, as many as may be drawn at once: one at least."""
    drawn = accumulate(len(note.content.comment) for note in notes)
    fitting = sum(1 for characters in drawn if characters <= MOST_DRAWN)
    return notes[: max(1, fitting)]


def draw_note(seen: Viewpoint, note: Standing, language: str | None) -> dict[str, Any]:
    """The note as a page draws it: whoever sees one may see everything of the game."""
    if language is None:
        return {}
    table = seen.table
    return {"shown": render_note(Commentary(table.rules.catalogue, language), table.state, ALL, note)}


def describe_note(note: Standing, shown: AnnotationBook, *, history: bool) -> dict[str, Any]:
    """A note or a reply as it stands, with everything that was written of it where its history is wanted."""
    first, newest = note.first, note.newest
    says = {name: value for name, value in newest.data.items() if name != "of"}
    if "to" in first.data:
        says["to"] = first.data["to"]
    found = {
        "set": first.set,
        "number": first.number,
        "hash": first.hash,
        "kind": first.kind,
        "version": first.moment.version,
        "moment": first.moment,
        "author": first.written["author"],
        "at": first.at,
        "edited": newest.at if newest is not first else None,
        "withdrawn": note.withdrawn.at if note.withdrawn is not None else None,
        "says": says,
    }
    if history:
        of = shown.find(first.set)
        found["history"] = [] if of is None else [of.entries[number - 1].written for number in note.history]
    return found


def write_cursor(note: Standing) -> str:
    """The cursor of what comes after a note."""
    return ".".join(map(str, note.place))


def read_cursor(cursor: str | None) -> tuple[int, int, str, int]:
    """The place of the note that a cursor names, which its schema has checked; without one that before all."""
    if cursor is None:
        return 0, 0, "", 0
    version, at, name, number = cursor.split(".")
    return int(version), int(at), name, int(number)
