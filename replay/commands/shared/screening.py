"""What the two commands that screen games have in common: their options, and what they do with the games' figures."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import click

from events.game.record import RecordBroken
from replay.across.pseudonyms import open_pseudonym_key, pseudonym
from replay.across.screening.comparing.permutation import DRAWS
from replay.across.screening.comparing.screen import LEAST_RATE, RATE, TOGETHER, Screen, compare
from replay.across.screening.figures.game import LeftOut
from replay.across.screening.figures.spool import Spool
from replay.across.screening.rollouts.playing_on import FEWEST, MOST
from replay.across.screening.rollouts.screen import roll_out
from replay.across.screening.telling.following_up import Places
from replay.across.screening.telling.names import rename
from replay.across.screening.telling.pages import write_pages
from replay.across.screening.telling.text import screen_document, screen_lines
from replay.across.source import GameSource
from replay.commands.shared.options import json_option, print_json
from replay.commands.shared.written import force_option
from replay.platform.exit_status import FINDING
from replay.platform.number_options import WholeRange
from replay.platform.output_file import OutputRefused
from replay.platform.safe_text import reason_of

Read = tuple[Spool, list[LeftOut]]
"""The figures of games, and what was left out."""
NOTHING_COMPARED: Final = 2
"""Exit status where no pair could stand out: as for wrong use, so that nobody takes it for a result."""


class ScreenOptions(NamedTuple):
    """What both are asked for; `screening_options` says what each is."""

    rate: float
    together: int
    seed: str
    key_file: Path | None
    service: str
    pages: Path | None
    force: bool
    most: int
    rollouts: int | None
    workers: int | None
    as_json: bool


def screening_options(included: Iterable[str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options of a screen; games of the kinds in `included` are left out unless somebody asks for them."""
    options = (
        click.option(
            "--rate",
            type=click.FloatRange(0, 0.5),
            callback=_check_rate,
            default=RATE,
            show_default=True,
            help="The share of screens of honest players in which any pair may stand out.",
        ),
        click.option(
            "--together",
            type=WholeRange(2),
            default=TOGETHER,
            show_default=True,
            help="Compare two players when they had so many games together.",
        ),
        click.option("--seed", default="1", show_default=True, help="The same seed gives the same p-values."),
        click.option(
            "--include",
            "included",
            type=click.Choice([*included]),
            multiple=True,
            help="Count also games of this kind, which are left out otherwise; repeatable.",
        ),
        click.option(
            "--pseudonyms",
            "key_file",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Put pseudonyms in place of names, by the key in this file; it is made where there is none.",
        ),
        click.option(
            "--service",
            default="",
            callback=_check_address,
            metavar="ADDRESS",
            help="The address of the service, for links to the games' pages and for the command that opens a case.",
        ),
        click.option(
            "--pages",
            metavar="FOLDER",
            type=click.Path(file_okay=False, path_type=Path),
            help="Write the games in which pairs that stand out did most as pages, and link to the moments there.",
        ),
        force_option,
        click.option(
            "--most",
            type=WholeRange(0),
            default=5,
            show_default=True,
            help="Show so many pairs; those that stand out are always shown.",
        ),
        click.option(
            "--rollouts",
            type=WholeRange(FEWEST, MOST),
            help="Play on so often from each moment of the pairs that stand out, with the trade and without it.",
        ),
        click.option(
            "--workers",
            type=WholeRange(1),
            help="The processes that read records; by default as many as there are cores.",
        ),
        json_option,
    )

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def screen_games(
    options: ScreenOptions, source: GameSource, read: Callable[[], Read], places: Places, nothing: str
) -> int:
    """Compare what `read` finds in a source, and print it; the exit status.

    `places` says where the games are and how long they may be disputed; service, pages and the time are added here.
    `nothing` says that there is no game.

    Raises:
        click.UsageError: the key of the pseudonyms or the games cannot be read, there are none, or pages cannot be
            written.
    """
    if options.pages is not None and options.key_file is not None:
        raise click.UsageError("The pages show names: leave --pages or --pseudonyms out.")
    try:
        key = None if options.key_file is None else open_pseudonym_key(options.key_file)
        games, left = read()
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    if not games and not left:
        raise click.UsageError(nothing)
    found = compare(games, left, rate=options.rate, seed=options.seed, together=options.together)
    if options.rollouts is not None:
        found = roll_out(found, source, options.rollouts, options.workers)
    if key is not None:
        found = rename(found, lambda name: pseudonym(key, name))
    pages, trouble = dict[str, str](), ""
    try:
        pages = (
            write_pages(found, source, options.pages, force=options.force)
            if options.pages is not None
            else {}
        )
    except (OutputRefused, OSError, RecordBroken) as error:
        trouble = f"Its pages cannot be written: {reason_of(error)}"
    now = time.time_ns() // 1_000_000
    places = places._replace(service=options.service, pages=pages, now=now)
    if options.as_json:
        print_json(screen_document(found, places), indented=True)
    else:
        for line in screen_lines(found, places, options.most):
            click.echo(line)
    if trouble:  # what took so long to find out is told all the same
        raise click.UsageError(trouble)
    return _status(found)


def _status(found: Screen) -> int:
    """A pair that stands out or a record in question is a finding; that nothing was compared is no result."""
    if found.standing_out or found.in_question:
        return FINDING
    return NOTHING_COMPARED if found.why_nothing_compared else 0


def _check_rate(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if value < LEAST_RATE:
        raise click.BadParameter(
            f"of {DRAWS} draws no p-value is below {LEAST_RATE:g}, so nobody could stand out: "
            f"give {LEAST_RATE:g} or more."
        )
    return value


def _check_address(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if value and urlsplit(value).scheme not in ("http", "https"):
        raise click.BadParameter("give the address of a service, such as https://example.org.")
    return value
