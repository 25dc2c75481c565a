"""`branch`: play on from a version of a game, by hand or with bots, and keep it as a token of one line."""

import sys
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from events.log.disclosure import ALL
from replay.branches import Branch, BranchError, MoveRefused
from replay.branches.saved.tokens import LONGEST_TOKEN, PREFIX, encode_token
from replay.branches.session import KEYS, BranchSession, Steps, run_session
from replay.branches.view import branch_json, refusal_json
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
from replay.platform.exit_status import WRONG_USE
from replay.platform.number_options import WholeRange
from replay.platform.output_file import BRANCH
from replay.platform.safe_text import reason_of, safe
from replay.terminal import keyboard
from replay.terminal.branch_text import branch_lines, refusal_lines, tree_lines
from replay.terminal.screen import print_styled


@click.command(
    epilog=example(
        "fieldbook replay branch game.ndjson --at 140 --play 2",
        "fieldbook replay branch game.ndjson --at 140 --bots greedy --until end",
    )
)
@record_argument
@click.option("--at", "version", type=WholeRange(min=1), help="The version from which to play on.")
@click.option(
    "--token",
    metavar="TOKEN|FILE",
    help="The token of a branch to continue, or the file that it was saved in.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the token into this file instead of printing it.",
)
@force_option
@click.option("--seed", default="", metavar="TEXT", help="The seed of fresh cards; only for new branches.")
@click.option("--go", type=WholeRange(min=0), help="Go to the position after this command; 0 is the start.")
@click.option(
    "--undo", type=WholeRange(min=1), help="Undo this many commands and everything that follows them."
)
@click.option(
    "--play",
    "plays",
    multiple=True,
    metavar="NUMBER|JSON",
    help="Play the move with this number, or a command as JSON; repeatable.",
)
@click.option(
    "--bots", metavar="BOT[,BOT...]", help="Let bots play: one for all seats, or one for each (- for none)."
)
@click.option(
    "--until", default="end", metavar="turn|end|N", help="How far bots play; N is a number of commands."
)
@click.option("--show", "whole", is_flag=True, help="Show the whole tree: the main line and its variations.")
@click.option(
    "--interactive", is_flag=True, help="Continue interactively, one line of standard input for each step."
)
@view_options
@json_option
def branch(
    record: str,
    *,
    version: int | None,
    token: str | None,
    save: Path | None,
    force: bool,
    seed: str,
    whole: bool,
    interactive: bool,
    view: View,
    **steps: Any,
) -> None:
    """Play on from a version of a game, to see what would have happened otherwise.

    A branch starts with --at or continues with --token. Its cards come from the recorded deck as
    far as that is known, then from a fresh shuffle; every event says from which. --go, --undo,
    --play and --bots are applied in this order; the result is shown with the token of the branch,
    which --save writes into a file instead.
    """
    if (version is None) == (token is None):
        raise click.UsageError("Give --at VERSION for a new branch, or --token TOKEN to continue one.")
    if token is not None and seed:
        raise click.UsageError("--seed is for a new branch; the branch of the token has its own seed.")
    if interactive and (record == "-" or view.as_json):
        raise click.UsageError(
            "--interactive reads standard input and prints text: name a file, and leave out --json."
        )
    if save is not None:
        require_output(save, BRANCH, [record], force=force)
    timeline = load_timeline(record, None)
    exit_if_broken(timeline)
    tell = Commentary(timeline.header.catalogue, view.language)
    session = BranchSession(timeline, ALL if view.viewer is None else view.viewer, tell)
    try:
        begun = session.start(version, None if token is None else _saved(token), seed)
        branch_after, after, note = session.apply(begun, Steps(**steps))
        if view.as_json:
            print_json(branch_json(session.view(branch_after)) | ({"note": note} if note else {}))
        else:
            _print(session, branch_after, -1 if whole else after, note, with_token=save is None)
        if interactive:
            click.echo(KEYS)
            show = partial(_print, session, with_token=save is None)
            branch_after = run_session(session, branch_after, keyboard.lines(), show)
        _save(save, branch_after, record, force=force)
    except OSError as error:
        raise click.UsageError(safe(f"{token or record}: {reason_of(error)}")) from error
    except MoveRefused as refused:
        _refuse(refused, session.viewer, as_json=view.as_json)
    except BranchError as error:
        raise click.UsageError(safe(str(error))) from error


def _save(path: Path | None, branch: Branch, record: str, *, force: bool) -> None:
    if path is not None:
        with write_output(path, BRANCH, [record], force=force) as file:
            file.write(f"{encode_token(branch)}\n".encode("ascii"))


def _saved(token: str) -> str:
    """The token itself, or the one that stands in the file of this name."""
    if token.startswith(PREFIX) or not Path(token).is_file():
        return token
    with Path(token).open(encoding="ascii", errors="replace") as file:
        return file.read(LONGEST_TOKEN + 1).strip()


def _print(session: BranchSession, branch: Branch, after: int, note: str, *, with_token: bool = True) -> None:
    seen = session.view(branch)
    lines = tree_lines(seen) if after < 0 else branch_lines(seen, after)
    print_styled(lines if with_token else lines[:-2])
    if note:
        click.echo(safe(note))


def _refuse(refused: MoveRefused, viewer: int, *, as_json: bool) -> NoReturn:
    """End the program with the reason of the rules, and with what would be legal."""
    if as_json:
        print_json(refusal_json(refused, viewer))
    else:
        for line in refusal_lines(refused, viewer):
            click.echo(line, err=True)
    sys.exit(WRONG_USE)
