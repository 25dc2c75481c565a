"""`log`: what has happened, a line for each entry."""

import click

from replay.commands.reading import end, put_json, step_json, timeline_of
from replay.commentary import Commentary
from replay.options import as_option, json_option, language_for, language_option, record_argument
from replay.table_text import when


@click.command()
@record_argument
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First version to list.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last version to list.")
@as_option
@language_option
@json_option
def log(
    record: str, first: int, last: int | None, viewer: int | None, language: str | None, *, as_json: bool
) -> None:
    """List what has happened, a line for each entry."""
    timeline = timeline_of(record, viewer)
    tell = Commentary(timeline.header.catalogue, language_for(language, as_json=as_json))
    for step in timeline.steps[first - 1 : last]:
        if as_json:
            put_json(step_json(timeline, step, tell))
        else:
            who = step.form.entry["actor"] if step.command is not None else ""
            moment = when(step.form.entry["at"])[:19] if step.command is not None else ""
            click.echo(f"{step.version:>4}  {moment:19}  {who:7} {tell.sentence(step.state, step.event)}")
    end(timeline)
