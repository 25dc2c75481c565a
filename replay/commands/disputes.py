"""`fieldbook disputes`: a subcommand for each step of a case."""

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any, Final

import click
import msgspec

from events.disputes.state import KINDS, POSSIBLE, REASONS, RULED
from replay.client import Fieldbook, Problem
from replay.client.disputes import CaseStep, Disputes
from replay.client.game_address import PATIENCE
from replay.commands.disputes_text import acceptance_lines, case_lines, preview_lines, queue_lines
from replay.commands.shared.options import key_file_option, print_json, problem_exit, read_token
from replay.exports.evidence.pack import read_pack
from replay.exports.evidence.text import render_text
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import safe

STATUSES: Final = tuple(status for status, possible in POSSIBLE.items() if possible)
MEDIA_TYPES: Final = {
    "markdown": "text/markdown",
    "html": "text/html",
    "json": "application/json",
}
_CASE: Final = re.compile(r"([A-Za-z0-9_-]{1,64})/([1-9][0-9]{0,5})")


@click.group()
@click.option(
    "--service",
    envvar="FIELDBOOK_SERVICE",
    default="http://localhost:8000",
    show_default=True,
    metavar="ADDRESS",
    help="The address of the service; by default FIELDBOOK_SERVICE.",
)
@key_file_option
@click.pass_context
def disputes(context: click.Context, service: str) -> None:
    """Settle disputes: list and read them, claim, rule, accept and appeal.

    A case is named by its game and its number there, such as 7f3c9a1e5b/1. Status 1 where the service refuses.
    """
    try:
        context.obj = Fieldbook(service, read_token(), patience=PATIENCE).disputes
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _case(context: click.Context, argument: click.Parameter, named: str) -> tuple[str, int]:
    found = _CASE.fullmatch(named)
    if found is None:
        raise click.BadParameter(
            f"{safe(named, 80)} is not a case; write GAME/NUMBER, such as 7f3c9a1e5b/1.", context, argument
        )
    return found[1], int(found[2])


case_argument = click.argument("case", metavar="GAME/NUMBER", callback=_case)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
text_option = click.option("--text", required=True, help="Your statement.")


@contextmanager
def exit_on_problem() -> Iterator[None]:
    """End with status 1 and the reason where the service refuses, with 2 where no Fieldbook service answers."""
    try:
        yield
    except Problem as problem:
        raise problem_exit(problem, "refuses") from problem


def _step(name: str) -> Callable[[Callable[..., CaseStep]], click.Command]:
    """Make a subcommand of a function that takes one step of a case; it prints where the case stands then."""

    def command(take: Callable[..., CaseStep]) -> click.Command:
        @click.pass_obj
        def run(client: Disputes, /, *, as_json: bool, **given: Any) -> None:
            with exit_on_problem():
                step = take(client, **given)
                print_step(client, step, as_json=as_json)

        return disputes.command(name)(json_option(update_wrapper(run, take)))

    return command


@disputes.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only those with this status.")
@click.option("--reason", type=click.Choice(REASONS), help="Only those with this reason.")
@click.option("--older-than", metavar="AGE", help="Only those opened this long ago, such as 2d or 12h.")
@click.option("--game", help="Only those of this game.")
@json_option
@click.pass_obj
def list_disputes(client: Disputes, /, *, as_json: bool, **filters: str | None) -> None:
    """List the open disputes, oldest first; for keys with the scope arbitrate."""
    with exit_on_problem():
        rows = [*client.queue(**filters)]
    if as_json:
        print_json(rows, indented=True)
    else:
        print_lines(queue_lines(rows, time.time_ns() // 1_000_000))


@disputes.command()
@case_argument
@click.option(
    "--evidence",
    type=click.Choice(["text", *MEDIA_TYPES]),
    help="Print the evidence pack in this format instead.",
)
@json_option
@click.pass_obj
def show(client: Disputes, case: tuple[str, int], *, evidence: str | None, as_json: bool) -> None:
    """Show a case, or its evidence pack."""
    with exit_on_problem():
        if evidence is not None:
            print_pack(client.evidence_pack(*case, MEDIA_TYPES.get(evidence, "application/json")), evidence)
            return
        whole = client.case(*case)
    if as_json:
        print_json(whole, indented=True)
    else:
        print_lines(case_lines(whole))


@_step("open")
@click.argument("game")
@click.option("--version", type=WholeRange(min=1), required=True, help="The version that you dispute.")
@click.option("--reason", type=click.Choice(REASONS), required=True, help="The reason.")
@text_option
@click.option("--pause", is_flag=True, help="Pause the game until the dispute is settled.")
def open_dispute(
    client: Disputes, *, game: str, version: int, reason: str, text: str, pause: bool
) -> CaseStep:
    """Dispute a version of a game, with your seat's token or the key that created the game."""
    return client.open(game, version, reason, text, pause=pause)


@_step("evidence")
@case_argument
@text_option
@click.option("--version", "versions", type=WholeRange(min=1), multiple=True, help="A version it concerns.")
def add_evidence(
    client: Disputes, *, case: tuple[str, int], text: str, versions: tuple[int, ...]
) -> CaseStep:
    """Add evidence, as a party or as the arbiter of the case."""
    return client.take(*case, "evidence", {"text": text, "versions": list(versions)})


@_step("claim")
@case_argument
def claim(client: Disputes, *, case: tuple[str, int]) -> CaseStep:
    """Claim a case, as an arbiter."""
    return client.take(*case, "claim")


@_step("release")
@case_argument
def release(client: Disputes, *, case: tuple[str, int]) -> CaseStep:
    """Release a case that you have claimed, for other arbiters."""
    return client.release(*case)


@disputes.command()
@case_argument
@click.option("--kind", type=click.Choice(KINDS), required=True, help="The kind of ruling.")
@click.option("--scope", required=True, help="What the ruling covers.")
@click.option("--reason", required=True, help="Why.")
@click.option("--to", "to_version", type=WholeRange(min=1), help="The version to go back to.")
@click.option(
    "--winner", "winners", type=WholeRange(min=0), multiple=True, help="A winning seat; repeatable."
)
@click.option(
    "--score", "scores", type=WholeRange(min=0), multiple=True, help="A score for each seat in order."
)
@click.option("--seen-confirmed", is_flag=True, help="Go back although hidden cards have been seen since.")
@click.option("--preview", is_flag=True, help="Only show what it would change.")
@json_option
@click.pass_obj
def rule(client: Disputes, /, case: tuple[str, int], *, preview: bool, as_json: bool, **ruling: Any) -> None:
    """Rule on a case that you have claimed; use --preview first."""
    body = {name: value for name, value in ruling.items() if value not in (None, (), False)}
    with exit_on_problem():
        if not preview:
            print_step(client, client.take(*case, "rulings", body), as_json=as_json)
            return
        effects = client.preview(*case, body)
    if as_json:
        print_json(effects, indented=True)
    else:
        print_lines(preview_lines(effects))


@_step("accept")
@case_argument
def accept(client: Disputes, *, case: tuple[str, int]) -> CaseStep:
    """Accept a ruling, as a party; it is applied as soon as every party has accepted."""
    return client.take(*case, "acceptance")


@_step("appeal")
@case_argument
@text_option
def appeal(client: Disputes, *, case: tuple[str, int], text: str) -> CaseStep:
    """Appeal a ruling, as a party: another arbiter makes the final ruling."""
    return client.take(*case, "appeal", {"text": text})


@_step("withdraw")
@case_argument
def withdraw(client: Disputes, *, case: tuple[str, int]) -> CaseStep:
    """Withdraw a case that you have opened, as long as there is no ruling."""
    return client.take(*case, "withdrawal")


@_step("go-on")
@case_argument
def go_on(client: Disputes, *, case: tuple[str, int]) -> CaseStep:
    """Ask that a game that waits for a case goes on while that is decided."""
    return client.take(*case, "resumption")


def print_pack(content: bytes, form: str) -> None:
    """Print an evidence pack, as text from its JSON; control characters are left out of the other formats."""
    if form == "text":
        try:
            text = render_text(read_pack(content))
        except msgspec.DecodeError as error:
            raise click.UsageError(f"The service sent no evidence pack: {error}.") from error
        click.echo(text, nl=False)
    elif sys.stdout.isatty():
        for line in content.decode("utf-8", "replace").splitlines():
            click.echo(safe(line, len(line)))
    else:
        click.echo(content, nl=False)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def print_step(client: Disputes, step: CaseStep, *, as_json: bool) -> None:
    """Print where a case stands after a step; of a ruling to be accepted also by whom, and until when."""
    if as_json:
        print_json(step, indented=True)
        return
    click.echo(f"{safe(step.game, 64)}/{step.dispute} is {safe(step.status, 20)}.")
    if step.status == RULED:
        print_lines(acceptance_lines(client.case(step.game, step.dispute)))
