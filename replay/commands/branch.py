"""`branch`: play on from a version of a game, by hand or by bots, and keep it as a token of one line."""

import sys
from functools import partial
from typing import Any, Final, NoReturn

import click

from events.disclosure import ALL
from replay import keyboard
from replay.branch_text import branch_lines, refusal_lines, tree_lines
from replay.branches import Branch, BranchError, Refused
from replay.branches.view import branch_json, refusal_json
from replay.branching import KEYS, Desk, Steps, conversation
from replay.commands.reading import end, put_json, timeline_of
from replay.commentary import Commentary
from replay.options import as_option, example, json_option, language_for, language_option, record_argument
from replay.safe_text import safe
from replay.screen import put

_WRONG_USE: Final = 2


@click.command(
    epilog=example(
        "fieldbook replay branch game.ndjson --at 140 --play 2",
        "fieldbook replay branch game.ndjson --at 140 --bots greedy --until end",
    )
)
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), help="The version from which to play on.")
@click.option("--token", metavar="TOKEN", help="A branch to go on with.")
@click.option(
    "--seed", default="", metavar="TEXT", help="Another seed is other fresh chance; for new branches."
)
@click.option("--go", type=click.IntRange(min=0), help="Stand after this command; 0 is the beginning.")
@click.option(
    "--undo", type=click.IntRange(min=1), help="Take back so many commands and what follows on them."
)
@click.option("--play", "plays", multiple=True, metavar="NUMBER|JSON", help="Play what has this number.")
@click.option(
    "--bots", metavar="BOT[,BOT...]", help="Let bots play: one for all seats, or each seat's (- for none)."
)
@click.option(
    "--until", default="end", metavar="turn|end|N", help="How far bots play; N is so many commands."
)
@click.option("--show", "whole", is_flag=True, help="Show the whole tree: the main line and its variations.")
@click.option("--interactive", is_flag=True, help="Go on, with a line of standard input for each step.")
@as_option
@language_option
@json_option
def branch(
    record: str,
    *,
    version: int | None,
    token: str | None,
    seed: str,
    viewer: int | None,
    language: str | None,
    whole: bool,
    interactive: bool,
    as_json: bool,
    **steps: Any,
) -> None:
    """Play on from a version of a game, and see what would have happened otherwise.

    A branch begins with --at, or goes on with --token. Its cards come from the recorded deck as far
    as that is known, then from fresh chance, and every event says from which. --go, --undo, --play
    and --bots are done in this order; what comes out is shown, with the token of the new branch.
    """
    if (version is None) == (token is None):
        raise click.UsageError("Say --at VERSION for a new branch, or --token TOKEN to go on with one.")
    if token is not None and seed:
        raise click.UsageError("--seed is for a new branch; the one of the token has its seed.")
    if interactive and (record == "-" or as_json):
        raise click.UsageError(
            "--interactive reads standard input and prints text: give a file, and no --json."
        )
    timeline = timeline_of(record, None)
    end(timeline)
    tell = Commentary(timeline.header.catalogue, language_for(language, as_json=as_json))
    desk = Desk(timeline, ALL if viewer is None else viewer, tell)
    try:
        standing, after, note = desk.taken(desk.begun(version, token, seed), Steps(**steps))
        if as_json:
            put_json(branch_json(desk.seen(standing)) | ({"note": note} if note else {}))
        else:
            _put(desk, standing, -1 if whole else after, note)
        if interactive:
            click.echo(KEYS)
            conversation(desk, standing, keyboard.lines(), partial(_put, desk))
    except Refused as refused:
        _refuse(refused, desk.viewer, as_json=as_json)
    except BranchError as error:
        raise click.UsageError(safe(str(error))) from error


def _put(desk: Desk, branch: Branch, after: int, note: str) -> None:
    seen = desk.seen(branch)
    put(tree_lines(seen) if after < 0 else branch_lines(seen, after))
    if note:
        click.echo(safe(note))


def _refuse(refused: Refused, viewer: int, *, as_json: bool) -> NoReturn:
    """End the program with what the rules say, and with what would be legal."""
    if as_json:
        put_json(refusal_json(refused, viewer))
    else:
        for line in refusal_lines(refused, viewer):
            click.echo(line, err=True)
    sys.exit(_WRONG_USE)
