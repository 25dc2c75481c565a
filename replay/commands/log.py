"""`log`: what has happened, a line for each entry."""

import click

from replay.commands.reading import end, put_json, step_json, timeline_of
from replay.describe import describe
from replay.options import as_option, json_option, record_argument
from replay.table_text import when
from replay.words import Words


@click.command()
@record_argument
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First version to list.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last version to list.")
@as_option
@json_option
def log(record: str, first: int, last: int | None, viewer: int | None, *, as_json: bool) -> None:
    """List what has happened, a line for each entry."""
    timeline = timeline_of(record, viewer)
    words = Words(timeline.header.catalogue)
    for step in timeline.steps[first - 1 : last]:
        if as_json:
            put_json(step_json(timeline, step))
        else:
            who = step.form.entry["actor"] if step.command is not None else ""
            moment = when(step.form.entry["at"])[:19] if step.command is not None else ""
            click.echo(f"{step.version:>4}  {moment:19}  {who:7} {describe(words, step.state, step.event)}")
    end(timeline)
