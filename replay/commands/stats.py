"""`stats`: a game in figures."""

from pathlib import Path

import click

from replay.commands.shared.options import (
    View,
    example,
    json_option,
    print_json,
    record_argument,
    view_options,
)
from replay.commands.shared.reading import exit_if_broken, load_timeline
from replay.commands.shared.written import force_option, require_output, write_output
from replay.commentary import Commentary
from replay.platform.optional_libraries import NotInstalled
from replay.platform.output_file import CHARTS
from replay.timeline.statistics.plots import plot
from replay.timeline.statistics.tally import compute_statistics
from replay.timeline.statistics.text import statistics_lines


@click.command(epilog=example("fieldbook replay stats game.ndjson --plot game.svg"))
@record_argument
@view_options
@json_option
@click.option("--plot", "picture", metavar="FILE", help="Also draw a chart: FILE.svg, FILE.png or FILE.pdf.")
@force_option
def stats(record: str, *, picture: str | None, force: bool, view: View) -> None:
    """Show the statistics of a game: coins, harvests, trades, offers and time used."""
    ending = "" if picture is None else Path(picture).suffix.lower()
    if picture is not None:
        if ending not in CHARTS:
            raise click.UsageError(f"--plot: the name of the file must end with {', '.join(CHARTS)}.")
        require_output(Path(picture), CHARTS[ending], [record], force=force)
    timeline = load_timeline(record, view.viewer)
    figures = compute_statistics(timeline)
    if picture is not None and timeline.last:
        try:
            with write_output(Path(picture), CHARTS[ending], [record], force=force) as file:
                plot(figures, file, ending)
        except NotInstalled as error:
            raise click.UsageError(str(error)) from error
    if view.as_json:
        print_json(figures)
    elif timeline.last:
        tell = Commentary(timeline.header.catalogue, view.language)
        for line in statistics_lines(figures, tell, timeline.at(timeline.last).state):
            click.echo(line)
    exit_if_broken(timeline)
