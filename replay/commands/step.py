"""`step`: through a game, forward and back."""

import click

from replay.commands.shared.options import View, example, record_argument, view_options
from replay.commands.shared.reading import exit_if_broken, find_step, load_timeline
from replay.platform.number_options import WholeRange
from replay.terminal.stepping import step_through


@click.command(epilog=example("fieldbook replay step game.ndjson --at 40"))
@record_argument
@click.option("--at", "version", type=WholeRange(min=1), default=1, help="The version to start at.")
@view_options
def step(record: str, version: int, *, view: View) -> None:
    """Step through a game, forward and back, by event, command, phase or turn.

    Press ? for the keys. Without a terminal, each line of standard input is a key.
    """
    if record == "-":
        raise click.UsageError("step reads keys from standard input: name the record as a file.")
    timeline = load_timeline(record, view.viewer)
    step_through(timeline, find_step(timeline, version).version, view.language)
    exit_if_broken(timeline)
