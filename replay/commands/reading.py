"""What the commands that show a record have in common: its timeline, one step of it, and how they end."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from events.disclosure import Form, viewer_name
from events.record import WITHOUT_SECRET, Forms, Header, RecordBroken, read_record
from replay.commentary import Commentary
from replay.game_address import address_in, live_forms
from replay.hidden import viewer_of
from replay.options import opened, stop, token
from replay.progress import progress
from replay.recording import Recording
from replay.report import Finding
from replay.safe_text import safe, safe_json
from replay.shape import SCOPE
from replay.table_text import when
from replay.timeline import NotShown, Step, Timeline, check_viewer


def timeline_of(record: str, viewer: int | None) -> Timeline:
    """The record as the viewer may see it; ends the program where there is nothing to show."""
    with opened(record) as lines:
        counted = _Counted(lines, record)
        header, forms = _begun(counted)
        timeline = _timeline(header, viewer)
        with progress(counted.share if counted.size else None) as told:
            timeline.recording.read(forms, told)
    check(timeline)
    return timeline


def followed(record: str, viewer: int | None, told: Callable[[Timeline, int], None]) -> Timeline:
    """A game that goes on at its address, followed to its end; `told` gets each version as it arrives."""
    with growing(record, viewer) as (timeline, entries), closing(entries):
        timeline.recording.read(entries, lambda version: told(timeline, version))
    check(timeline)
    return timeline


_DISCARDED = "x"
"""Stands behind the version of an entry that does not count any more."""


@contextmanager
def growing(
    record: str, viewer: int | None, caught_up: Callable[[], object] = lambda: None
) -> Iterator[tuple[Timeline, Generator[Form, None, None]]]:
    """A game at its address: its timeline, still empty, and the entries that it is to be filled with.

    `caught_up` is called when the entries that are there now have been taken and those to come are waited for.
    """
    game = address_in(record)
    if game is None:
        raise click.UsageError("--follow needs a game's address, such as https://host/v1/games/<id>.")
    with opened(record) as lines:
        header, forms = _begun(lines)
        live = not header.secret
        if live:  # its secret is opened by an entry that is still to come, as in records of format 1
            header = msgspec.structs.replace(header, record=WITHOUT_SECRET, attached=())
        timeline = _timeline(header, viewer)
        recorded = _and_then(forms, caught_up)
        yield timeline, live_forms(game, token(), recorded, header.scope) if live else recorded


def _and_then(forms: Iterator[Form], told: Callable[[], object]) -> Generator[Form, None, None]:
    yield from forms
    told()


def check(timeline: Timeline) -> None:
    """End the program with status 2 where the record cannot show this viewer."""
    try:
        check_viewer(timeline.recording, timeline.viewer)
    except NotShown as error:
        raise click.UsageError(str(error)) from error


def step_at(timeline: Timeline, version: int, option: str = "--at") -> Step:
    """The step of a version; ends the program where there is none."""
    if 1 <= version <= timeline.last:
        return timeline.at(version)
    if timeline.broken is not None:
        stop(timeline.broken)
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


def put_step(tell: Commentary, step: Step) -> None:
    """Print an entry as a line; time and actor stand where a command begins.

    What was discarded when the game went back has a cross before its version.
    """
    who = step.form.entry["actor"] if step.command is not None else ""
    moment = when(step.form.entry["at"])[:19] if step.command is not None else ""
    mark = " " if step.counts else _DISCARDED
    click.echo(f"{step.version:>4}{mark} {moment:19}  {who:7} {tell.sentence(step.state, step.event)}")


def put_json(value: Any) -> None:
    """Print one JSON object."""
    click.echo(safe_json(msgspec.json.encode(value)))


def end(timeline: Timeline) -> None:
    """Leave with a finding where the record does not verify."""
    if timeline.broken is not None:
        stop(timeline.broken)


def _begun(lines: Iterator[bytes]) -> tuple[Header, Forms]:
    """The header and what follows it; ends the program where it cannot be read."""
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        stop(Finding("record", broken.version, safe(broken.reason)))
    if not SCOPE.fullmatch(header.scope):
        stop(Finding("scope", 0, f"there is no scope {safe(header.scope, 40)!r}"))
    return header, forms


def _timeline(header: Header, viewer: int | None) -> Timeline:
    timeline = Timeline(Recording(header), viewer_of(header.scope) if viewer is None else viewer)
    check(timeline)
    return timeline


def _is_compressed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


class _Counted(Iterator[bytes]):
    """Lines, and how much of a plain file they are."""

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
