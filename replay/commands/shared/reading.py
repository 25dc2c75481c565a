"""What the commands that show a record share: its timeline, one step of it, and how they end."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from events.game.record import Forms, Header, RecordBroken, read_record
from events.log.disclosure import Form, viewer_name
from replay.client.game_address import GameAddress, SourceUnreadable, live_forms, parse_address
from replay.commands.shared.options import exit_with_finding, open_record, read_token
from replay.commentary import Commentary
from replay.platform.safe_text import safe
from replay.records.hidden import parse_viewer
from replay.records.report import Finding
from replay.records.shape import SCOPE
from replay.terminal.progress import progress
from replay.terminal.table_text import when
from replay.timeline.recording import Recording
from replay.timeline.timeline import Begin, NotShown, Step, Timeline, check_viewer


def load_timeline(record: str, viewer: int | None, begin: Begin | None = None) -> Timeline:
    """Read a record as the viewer may see it; ends the program where there is nothing to show.

    What `begin` has begun with the timeline is told each entry while it is read.
    """
    with open_record(record) as lines:
        counted = _CountedLines(lines, record)
        header, forms = _read_header(counted)
        timeline = _open_timeline(header, viewer)
        with progress(counted.share if counted.size else None) as report_progress:
            timeline.recording.read(forms, report_progress, None if begin is None else begin(timeline))
    require_viewer(timeline)
    return timeline


def follow_game(record: str, viewer: int | None, on_entry: Callable[[Timeline, int], None]) -> Timeline:
    """Follow a live game at its address to its end; `on_entry` gets each version as it arrives."""
    with open_live_game(record, viewer) as (timeline, entries), closing(entries):
        timeline.recording.read(entries, lambda version: on_entry(timeline, version))
    require_viewer(timeline)
    return timeline


def find_address(record: str) -> GameAddress | None:
    """The game whose address this is, None for a file; ends the program with status 2 at an address of no game."""
    try:
        return parse_address(record)
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error


_DISCARDED = "x"
"""Follows the version of an entry that was discarded when the game went back."""


@contextmanager
def open_live_game(
    record: str, viewer: int | None, caught_up: Callable[[], object] = lambda: None
) -> Iterator[tuple[Timeline, Generator[Form, None, None]]]:
    """A live game at its address: its timeline, still empty, and the entries to fill it with.

    `caught_up` is called when all entries so far have been taken and new ones are waited for.
    """
    game = find_address(record)
    if game is None:
        raise click.UsageError("--follow needs a game's address, such as https://host/v1/games/<id>.")
    with open_record(record) as lines:
        header, forms = _read_header(lines)
        live = not header.secret
        if live:  # what is attached is about the game so far
            header = msgspec.structs.replace(header, attached=())
        timeline = _open_timeline(header, viewer, is_live=live)
        recorded = _then_call(forms, caught_up)
        yield timeline, live_forms(game, read_token(), recorded, header.scope) if live else recorded


def _then_call(forms: Iterator[Form], done: Callable[[], object]) -> Generator[Form, None, None]:
    yield from forms
    done()


def require_viewer(timeline: Timeline) -> None:
    """End the program with status 2 where the record cannot show this viewer."""
    try:
        check_viewer(timeline.recording, timeline.viewer)
    except NotShown as error:
        raise click.UsageError(str(error)) from error


def find_step(timeline: Timeline, version: int, option: str = "--at") -> Step:
    """The step of a version; ends the program where there is none."""
    if 1 <= version <= timeline.last:
        return timeline.at(version)
    if timeline.broken is not None:
        exit_with_finding(timeline.broken)
    raise click.UsageError(f"{option} {version}: the record ends with version {timeline.last}.")


def step_json(timeline: Timeline, step: Step, tell: Commentary) -> dict[str, Any]:
    """An entry as the viewer has it, with its sentence."""
    return {
        "game": timeline.header.game,
        "as": viewer_name(timeline.viewer),
        "of": timeline.last,
        "text": tell.sentence(step.state, step.event),
        "counts": step.counts,
        "entry": step.form.entry,
        "hash": step.form.hash,
    }


def print_step(tell: Commentary, step: Step) -> None:
    """Print an entry as a line, with time and actor on the first entry of a command.

    What was discarded when the game went back has a cross behind its version.
    """
    who = step.form.entry["actor"] if step.command is not None else ""
    moment = when(step.form.entry["at"])[:19] if step.command is not None else ""
    mark = " " if step.counts else _DISCARDED
    click.echo(f"{step.version:>4}{mark} {moment:19}  {who:7} {tell.sentence(step.state, step.event)}")


def exit_if_broken(timeline: Timeline) -> None:
    """End with a finding where the record does not verify."""
    if timeline.broken is not None:
        exit_with_finding(timeline.broken)


def _read_header(lines: Iterator[bytes]) -> tuple[Header, Forms]:
    """The header and what follows it; ends the program where it cannot be read."""
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        exit_with_finding(Finding("record", broken.version, safe(broken.reason)))
    if not SCOPE.fullmatch(header.scope):
        exit_with_finding(Finding("scope", 0, f"there is no scope {safe(header.scope, 40)!r}"))
    return header, forms


def _open_timeline(header: Header, viewer: int | None, *, is_live: bool = False) -> Timeline:
    recording = Recording(header, is_live=is_live)
    timeline = Timeline(recording, parse_viewer(header.scope) if viewer is None else viewer)
    require_viewer(timeline)
    return timeline


def _is_compressed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


class _CountedLines(Iterator[bytes]):
    """Lines, and what share of a plain file was read."""

    def __init__(self, lines: Iterator[bytes], source: str) -> None:
        path = Path(source)
        self._lines = lines
        self._read = 0
        self.size = 0
        if source != "-" and path.is_file() and not _is_compressed(path):
            self.size = path.stat().st_size

    def __next__(self) -> bytes:
        line = next(self._lines)
        self._read += len(line)
        return line

    def share(self) -> float:
        return self._read / self.size
