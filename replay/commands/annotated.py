"""Annotations beside what other commands show: the option, and what stands at each moment."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from events.record import RecordBroken
from replay.annotations.book import AnnotationBook
from replay.annotations.content import Refused
from replay.annotations.entries import AnnotationBroken
from replay.annotations.files import Binding, FileBroken
from replay.annotations.moments import Unbound, check_binding, check_moments
from replay.annotations.on_disk import read_path
from replay.annotations.on_screen import note_lines
from replay.annotations.sets import Standing
from replay.game_address import SourceUnreadable
from replay.options import FINDING
from replay.safe_text import safe
from replay.timeline import Timeline

annotations_option = click.option(
    "--annotations",
    "annotated",
    metavar="FILE",
    help="Show these annotations at their moments: a file of them, or a record that carries some.",
)


class Finding(click.ClickException):
    """Something does not hold: one line, and status 1."""

    exit_code = FINDING


@contextmanager
def findings() -> Iterator[None]:
    """Turn what can be wrong with annotations into a line of text and an exit status."""
    try:
        yield
    except FileBroken as broken:
        raise Finding(f"The annotations are broken at line {broken.line}: {safe(broken.reason)}") from broken
    except RecordBroken as broken:
        raise Finding(f"The record is broken at version {broken.version}: {safe(broken.reason)}") from broken
    except Unbound as unbound:
        raise Finding(f"The annotations do not belong to this game: {safe(str(unbound))}.") from unbound
    except AnnotationBroken as broken:
        raise Finding(f"The annotations are broken: {safe(str(broken))}.") from broken
    except Refused as refused:
        raise click.UsageError(safe(refused.detail)) from refused
    except (SourceUnreadable, OSError) as error:
        raise click.UsageError(safe(str(error))) from error


def notes_beside(path: str | None, timeline: Timeline) -> dict[int, list[Standing]]:
    """The notes of a file that stand at each version of a game; none without a file.

    Ends the program where the file is broken, or about another game.
    """
    notes: dict[int, list[Standing]] = defaultdict(list)
    if path is None or not timeline.last:
        return notes
    for note in book_beside(path, timeline).standing:
        if note.withdrawn is None:
            notes[note.first.moment.version].append(note)
    return notes


def book_beside(path: str, timeline: Timeline) -> AnnotationBook:
    """The annotations of a file about a game.

    Ends the program where the file is broken, or about another game.
    """
    with findings():
        binding, book = read_path(path)
        hashes = {step.version: step.form.hash for step in timeline.steps}
        check_bound(binding, book, Binding(timeline.header.game, hashes[1]), hashes)
    return book


def check_bound(binding: Binding, book: AnnotationBook, game: Binding, hashes: dict[int, str]) -> None:
    """Demand that a file is about this game, all of it.

    Raises:
        Unbound
    """
    check_binding(binding, game)
    check_moments(book, hashes)


def put_notes(notes: list[Standing]) -> None:
    """Print notes below what they are about."""
    for note in notes:
        for line in note_lines(note):
            click.echo(f"      | {line}")


def notes_json(notes: list[Standing]) -> list[dict[str, Any]]:
    """Notes as JSON: who says what, with every member that was written."""
    return [
        {
            "set": note.first.set,
            "number": note.first.number,
            "kind": note.first.kind,
            "version": note.first.moment.version,
            "author": note.first.written["author"],
            "at": note.first.at,
            "edited": note.newest.at if note.newest is not note.first else None,
            "withdrawn": note.withdrawn is not None,
            "says": msgspec.to_builtins(note.newest.data),
        }
        for note in notes
    ]
