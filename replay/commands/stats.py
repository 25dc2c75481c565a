"""`stats`: a game in figures."""

from pathlib import Path

import click
import msgspec

from replay.commands.reading import end, timeline_of
from replay.commentary import Commentary
from replay.needed import NotInstalled
from replay.options import as_option, example, json_option, language_for, language_option, record_argument
from replay.safe_text import safe_json
from replay.statistics import statistics_of
from replay.statistics.plots import FORMATS, plot
from replay.statistics.text import statistics_lines


@click.command(epilog=example("fieldbook replay stats game.ndjson --plot game.svg"))
@record_argument
@as_option
@language_option
@json_option
@click.option("--plot", "picture", metavar="FILE", help="Draw a picture too: FILE.svg, FILE.png or FILE.pdf.")
def stats(
    record: str, viewer: int | None, language: str | None, *, as_json: bool, picture: str | None
) -> None:
    """Count a game up: coins, harvests, trades, offers and the time used."""
    if picture is not None and Path(picture).suffix.lower() not in FORMATS:
        raise click.UsageError(f"--plot: a picture's name ends with {', '.join(FORMATS)}.")
    timeline = timeline_of(record, viewer)
    figures = statistics_of(timeline)
    if picture is not None and timeline.last:
        try:
            plot(figures, Path(picture))
        except (NotInstalled, OSError) as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(safe_json(msgspec.json.encode(figures)))
    elif timeline.last:
        tell = Commentary(timeline.header.catalogue, language_for(language))
        for line in statistics_lines(figures, tell, timeline.at(timeline.last).state):
            click.echo(line)
    end(timeline)
