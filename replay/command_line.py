"""The command line: `show`, `log`, `step`, `verify` and `audit` a record.

Exit status: 0 fine, 1 a finding (the record does not verify, or is broken), 2 wrong use.
"""

import sys
from io import TextIOWrapper
from typing import Any

import click
import msgspec

from events.disclosure import ALL, PUBLIC, viewer_name
from events.record import RecordBroken, read_record
from events.rules.player_view import player_view
from replay.checking import audit, verify
from replay.commands.annotate import annotate
from replay.commands.annotated import annotations_option, notes_beside, notes_json, put_notes
from replay.describe import describe
from replay.hidden import viewer_of
from replay.options import as_option, json_option, opened, record_argument, stop
from replay.report import Finding
from replay.safe_text import safe, safe_json
from replay.screen import put
from replay.shape import SCOPE
from replay.stepping import step_through
from replay.table_text import table_lines, when
from replay.timeline import Step, Timeline, read_timeline
from replay.words import Words, catalogue_line


@click.group()
def replay() -> None:
    """Read the record of a game and trust nobody.

    RECORD is a record file, plain or gzipped, or - for standard input. Every command verifies what
    it shows. Exit status: 0 fine, 1 a record that does not verify, 2 wrong use.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


@replay.command()
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), help="Version to show; without it the last one.")
@as_option
@annotations_option
@json_option
def show(
    record: str, version: int | None, viewer: int | None, *, annotated: str | None, as_json: bool
) -> None:
    """Show the table at one version."""
    timeline = _timeline(record, viewer)
    step = _step_at(timeline, timeline.last if version is None else version)
    notes = notes_beside(annotated, timeline)[step.version]
    if as_json:
        table: dict[str, Any] = {"table": player_view(step.state, timeline.viewer)}
        table |= {"annotations": notes_json(notes)} if annotated else {}
        _put_json(_step_json(timeline, step) | {"catalogue": timeline.header.catalogue} | table)
    else:
        put(table_lines(timeline, step))
        played_with = timeline.header.catalogue
        line = catalogue_line(played_with.name, played_with.hash(), played_with.kinds_of_provenance)
        click.echo(f"\n{'catalogue':15}{line}")
        put_notes(notes)
    _end(timeline)


@replay.command()
@record_argument
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First version to list.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last version to list.")
@as_option
@annotations_option
@json_option
def log(
    record: str,
    first: int,
    last: int | None,
    viewer: int | None,
    annotated: str | None,
    *,
    as_json: bool,
) -> None:
    """List what has happened, a line for each entry."""
    timeline = _timeline(record, viewer)
    words = Words(timeline.header.catalogue)
    notes = notes_beside(annotated, timeline)
    for step in timeline.steps[first - 1 : last]:
        if as_json:
            said = {"annotations": notes_json(notes[step.version])} if annotated else {}
            _put_json(_step_json(timeline, step) | said)
        else:
            who = step.form.entry["actor"] if step.command is not None else ""
            moment = when(step.form.entry["at"])[:19] if step.command is not None else ""
            click.echo(f"{step.version:>4}  {moment:19}  {who:7} {describe(words, step.state, step.event)}")
            put_notes(notes[step.version])
    _end(timeline)


@replay.command()
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), default=1, help="Version to begin with.")
@as_option
def step(record: str, version: int, viewer: int | None) -> None:
    """Step through the game, forward and back, by event, command, phase or turn.

    Press ? for the keys. Where standard input is no terminal, each of its lines is a key.
    """
    if record == "-":
        raise click.UsageError("step reads its keys from standard input; give the record as a file.")
    timeline = _timeline(record, viewer)
    step_through(timeline, _step_at(timeline, version).version)
    _end(timeline)


# --- reading -----------------------------------------------------------------------------------------------


def _timeline(record: str, viewer: int | None) -> Timeline:
    """The record as the viewer may see it; ends the program where there is nothing to show."""
    with opened(record) as lines:
        try:
            header, forms = read_record(lines)
        except RecordBroken as broken:
            stop(Finding("record", broken.version, safe(broken.reason)))
        if not SCOPE.fullmatch(header.scope):
            stop(Finding("scope", 0, f"there is no scope {safe(header.scope, 40)!r}"))
        scope = viewer_of(header.scope)
        asked = scope if viewer is None else viewer
        if scope not in (ALL, asked) and asked != PUBLIC:
            raise click.UsageError(
                f"--as {viewer_name(asked)}: this record holds only what {header.scope} may see."
            )
        timeline = read_timeline(header, forms, asked)
    if timeline.steps and asked >= len(timeline.steps[0].state.seats):
        raise click.UsageError(f"--as {viewer_name(asked)}: the table has no such seat.")
    return timeline


def _step_at(timeline: Timeline, version: int) -> Step:
    if 1 <= version <= timeline.last:
        return timeline.at(version)
    if timeline.broken is not None:
        stop(timeline.broken)
    raise click.UsageError(f"--at {version}: the record ends with version {timeline.last}.")


# --- answering ---------------------------------------------------------------------------------------------


def _step_json(timeline: Timeline, step: Step) -> dict[str, Any]:
    words = Words(timeline.header.catalogue)
    return {
        "game": timeline.header.game,
        "as": viewer_name(timeline.viewer),
        "of": timeline.last,
        "text": describe(words, step.state, step.event),
        "entry": step.form.entry,
        "hash": step.form.hash,
    }


def _put_json(value: dict[str, Any]) -> None:
    click.echo(safe_json(msgspec.json.encode(value)))


def _end(timeline: Timeline) -> None:
    """Leave with a finding where the record does not verify."""
    if timeline.broken is not None:
        stop(timeline.broken)


replay.add_command(verify)
replay.add_command(audit)
replay.add_command(annotate)
