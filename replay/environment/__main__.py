"""`python -m replay.environment`: a game as lines of text, a number a line on standard input for each choice."""

import sys
from pathlib import Path

import click

from events.rules.errors import RuleViolation
from replay.environment.text import TextGame
from replay.platform.command_line import CommandLine
from replay.platform.number_options import WholeRange
from replay.platform.output_file import RECORD, OutputRefused, check_output, open_output
from replay.platform.whole_numbers import parse_whole


@click.command(cls=CommandLine)
@click.option("--system", default="classic", show_default=True, help="The rule system.")
@click.option("--players", type=WholeRange(2), default=3, show_default=True, help="The number of players.")
@click.option("--seed", default="1", show_default=True, help="The same seed deals the same game.")
@click.option("--bot", default="greedy", show_default=True, help="The bot on all other seats.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Where the record is written.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
def main(*, system: str, players: int, seed: str, bot: str, out: Path | None, force: bool) -> None:
    """Play seat 0 of a game; each line of standard input is the number of a choice, or ? for advice."""
    try:
        if out is not None:
            check_output(out, RECORD, force=force)
        game = TextGame(system, players, seed, bot=bot)
    except (RuleViolation, KeyError, OutputRefused) as refused:
        raise click.UsageError(str(refused)) from refused
    click.echo(game.prompt())
    for line in sys.stdin:
        if line.strip() == "?":
            click.echo("\n".join(game.advice()))
            continue
        try:
            game.choose(parse_whole(line.strip()))
        except ValueError as wrong:
            click.echo(f"? {wrong}")
            continue
        click.echo(game.prompt())
        if game.is_over:
            break
    if out is not None:
        with open_output(out, RECORD, force=force) as file:
            file.writelines(game.game.record())


if __name__ == "__main__":
    main()
