"""What the commands that show a record have in common: its timeline, one step of it, and how they end."""

from typing import Any

import click
import msgspec

from events.disclosure import ALL, PUBLIC, viewer_name
from events.record import RecordBroken, read_record
from replay.commentary import Commentary
from replay.hidden import viewer_of
from replay.options import opened, stop
from replay.report import Finding
from replay.safe_text import safe, safe_json
from replay.shape import SCOPE
from replay.timeline import Step, Timeline, read_timeline


def timeline_of(record: str, viewer: int | None) -> Timeline:
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


def step_at(timeline: Timeline, version: int) -> Step:
    """The step of a version; ends the program where there is none."""
    if 1 <= version <= timeline.last:
        return timeline.at(version)
    if timeline.broken is not None:
        stop(timeline.broken)
    raise click.UsageError(f"--at {version}: the record ends with version {timeline.last}.")


def step_json(timeline: Timeline, step: Step, tell: Commentary) -> dict[str, Any]:
    """An entry as the viewer has it, with its sentence."""
    return {
        "game": timeline.header.game,
        "as": viewer_name(timeline.viewer),
        "of": timeline.last,
        "text": tell.sentence(step.state, step.event),
        "entry": step.form.entry,
        "hash": step.form.hash,
    }


def put_json(value: dict[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(safe_json(msgspec.json.encode(value)))


def end(timeline: Timeline) -> None:
    """Leave with a finding where the record does not verify."""
    if timeline.broken is not None:
        stop(timeline.broken)
