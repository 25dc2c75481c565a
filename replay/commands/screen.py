"""`screen`: which players do more for each other than for others, over a folder of records."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from replay.across.pseudonyms import open_pseudonym_key, pseudonym
from replay.across.screening.comparing.screen import RATE, TOGETHER, compare
from replay.across.screening.figures.reading import TO_CHOOSE, read_games
from replay.across.screening.rollouts.playing_on import FEWEST, MOST
from replay.across.screening.rollouts.screen import roll_out
from replay.across.screening.telling.names import rename
from replay.across.screening.telling.text import screen_document, screen_lines
from replay.across.source import RecordFolder
from replay.commands.shared.options import FINDING, complete_files, example, json_option, print_json


def _address(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if value and urlsplit(value).scheme not in ("http", "https"):
        raise click.BadParameter("give the address of a service, such as https://example.org.")
    return value


@click.command(
    epilog=example(
        "fieldbook replay screen games",
        "fieldbook replay screen games --service https://example.org --pseudonyms data/names.key --json",
    )
)
@click.argument(
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    shell_complete=complete_files,
)
@click.option(
    "--rate",
    type=click.FloatRange(0.0001, 0.5),
    default=RATE,
    show_default=True,
    help="In at most so many screens of honest players any pair stands out.",
)
@click.option(
    "--together",
    type=click.IntRange(2),
    default=TOGETHER,
    show_default=True,
    help="Compare two players when they had so many games together.",
)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same p-values.")
@click.option(
    "--include",
    "included",
    type=click.Choice([each.value for each in TO_CHOOSE]),
    multiple=True,
    help="Count also games of this kind, which are left out otherwise; repeatable.",
)
@click.option(
    "--pseudonyms",
    "key_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Put pseudonyms in place of names, by the key in this file; it is made where there is none.",
)
@click.option(
    "--service",
    default="",
    callback=_address,
    metavar="ADDRESS",
    help="The address of the service, for links to the games' pages and for the command that opens a case.",
)
@click.option(
    "--most",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Show so many pairs; those that stand out are always shown.",
)
@click.option(
    "--rollouts",
    type=click.IntRange(FEWEST, MOST),
    help="Play on so often from each moment of the pairs that stand out, with the trade and without it.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="The processes that read records; by default as many as there are cores.",
)
@json_option
def screen(
    folder: Path,
    *,
    rate: float,
    together: int,
    seed: str,
    included: tuple[str, ...],
    key_file: Path | None,
    service: str,
    most: int,
    rollouts: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Look for players who do more for each other than for others, in a folder of records.

    What stands out is unusual, and proves nothing: look at the moments, and decide yourself. Status
    0: no pair stands out, 1: one does, 2: wrong use, or no record in the folder.
    """
    try:
        key = None if key_file is None else open_pseudonym_key(key_file)
        source = RecordFolder(folder)
        games, left = read_games(source, included, workers)
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    if not games and not left:
        raise click.UsageError(f"There is no record in {folder}.")
    found = compare(games, left, rate=rate, seed=seed, together=together)
    if rollouts is not None:
        found = roll_out(found, source, rollouts, workers)
    if key is not None:
        found = rename(found, lambda name: pseudonym(key, name))
    if as_json:
        print_json(screen_document(found, str(folder), service), indented=True)
    else:
        for line in screen_lines(found, str(folder), service, most):
            click.echo(line)
    sys.exit(FINDING if found.standing_out else 0)
