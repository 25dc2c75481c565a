"""`show`: the table at one version."""

import click

from events.rules.player_view import player_view
from replay.commands.reading import end, put_json, step_at, step_json, timeline_of
from replay.options import as_option, json_option, record_argument
from replay.screen import put
from replay.table_text import table_lines
from replay.words import catalogue_line


@click.command()
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), help="Version to show; without it the last one.")
@as_option
@json_option
def show(record: str, version: int | None, viewer: int | None, *, as_json: bool) -> None:
    """Show the table at one version."""
    timeline = timeline_of(record, viewer)
    step = step_at(timeline, timeline.last if version is None else version)
    if as_json:
        table = {"table": player_view(step.state, timeline.viewer)}
        put_json(step_json(timeline, step) | {"catalogue": timeline.header.catalogue} | table)
    else:
        put(table_lines(timeline, step))
        played_with = timeline.header.catalogue
        line = catalogue_line(played_with.name, played_with.hash(), played_with.kinds_of_provenance)
        click.echo(f"\n{'catalogue':15}{line}")
    end(timeline)
