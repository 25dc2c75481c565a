"""Annotations beside what other commands show: the options, and the notes at each version."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from events.game.record import RecordBroken
from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationBroken
from replay.annotations.files import Binding, FileBroken
from replay.annotations.moments import Unbound, check_bound
from replay.annotations.on_disk import read_path
from replay.annotations.on_screen import note_lines
from replay.annotations.sets import Standing
from replay.client.game_address import SourceUnreadable
from replay.commands.shared.options import CheckFailed
from replay.platform.output_file import OutputRefused
from replay.platform.safe_text import safe
from replay.timeline.timeline import Timeline

annotations_option = click.option(
    "--annotations",
    "annotated",
    metavar="FILE",
    help="Show the annotations of this file, or of a record that carries some.",
)


file_option = click.option("--file", "path", required=True, metavar="FILE", help="The file of annotations.")


@contextmanager
def findings() -> Iterator[None]:
    """Turn what can be wrong with annotations into a line of text and an exit status."""
    try:
        yield
    except FileBroken as broken:
        raise CheckFailed(
            f"The annotations are broken at line {broken.line}: {safe(broken.reason)}"
        ) from broken
    except RecordBroken as broken:
        raise CheckFailed(
            f"The record is broken at version {broken.version}: {safe(broken.reason)}"
        ) from broken
    except Unbound as unbound:
        raise CheckFailed(f"The annotations do not belong to this game: {safe(str(unbound))}.") from unbound
    except AnnotationBroken as broken:
        raise CheckFailed(f"The annotations are broken: {safe(str(broken))}.") from broken
    except AnnotationRefused as refused:
        raise click.UsageError(safe(refused.detail)) from refused
    except (SourceUnreadable, OutputRefused, OSError) as error:
        raise click.UsageError(safe(str(error))) from error


def notes_by_version(path: str | None, timeline: Timeline) -> dict[int, list[Standing]]:
    """The notes of a file at each version of a game; none without a file.

    Ends the program where the file is broken, or about another game.
    """
    notes: dict[int, list[Standing]] = defaultdict(list)
    if path is None or not timeline.last:
        return notes
    for note in read_book(path, timeline).standing:
        if note.withdrawn is None:
            notes[note.first.moment.version].append(note)
    return notes


def read_book(path: str, timeline: Timeline) -> AnnotationBook:
    """The annotations of a file about a game.

    Ends the program where the file is broken, or about another game.
    """
    with findings():
        binding, book = read_path(path)
        hashes = {step.version: step.form.hash for step in timeline.steps}
        check_bound(binding, book, Binding(timeline.header.game, hashes[1]), hashes)
    return book


def print_notes(notes: list[Standing]) -> None:
    """Print notes below what they are about."""
    for note in notes:
        for line in note_lines(note):
            click.echo(f"      | {line}")


def notes_json(notes: list[Standing]) -> list[dict[str, Any]]:
    """Notes as JSON, with every member that was written."""
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
