"""`step`: through a game, forward and back."""

import click

from replay.commands.reading import end, step_at, timeline_of
from replay.options import as_option, language_for, language_option, record_argument
from replay.stepping import step_through


@click.command()
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), default=1, help="Version to begin with.")
@as_option
@language_option
def step(record: str, version: int, viewer: int | None, language: str | None) -> None:
    """Step through the game, forward and back, by event, command, phase or turn.

    Press ? for the keys. Where standard input is no terminal, each of its lines is a key.
    """
    if record == "-":
        raise click.UsageError("step reads its keys from standard input; give the record as a file.")
    timeline = timeline_of(record, viewer)
    step_through(timeline, step_at(timeline, version).version, language_for(language))
    end(timeline)
