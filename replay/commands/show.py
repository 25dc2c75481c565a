"""`show`: the table at one version."""

import click

from events.rules.player_view import player_view
from replay.commands.reading import end, put_json, step_at, step_json, timeline_of
from replay.commentary import Commentary
from replay.options import as_option, json_option, language_for, language_option, record_argument
from replay.screen import put
from replay.table_text import catalogue_lines, table_lines


@click.command()
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), help="Version to show; without it the last one.")
@as_option
@language_option
@json_option
def show(
    record: str, version: int | None, viewer: int | None, language: str | None, *, as_json: bool
) -> None:
    """Show the table at one version."""
    timeline = timeline_of(record, viewer)
    step = step_at(timeline, timeline.last if version is None else version)
    told_in = language_for(language, as_json=as_json)
    tell = Commentary(timeline.header.catalogue, told_in)
    if as_json:
        table = {"table": player_view(step.state, timeline.viewer)}
        put_json(step_json(timeline, step, tell) | {"catalogue": timeline.header.catalogue} | table)
    else:
        put([*table_lines(timeline, step, told_in), [], *catalogue_lines(tell, timeline.header.catalogue)])
    end(timeline)
