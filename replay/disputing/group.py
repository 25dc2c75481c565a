"""`fieldbook disputes`: each step of a case is a command."""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import click
import msgspec

from events.disputes.state import KINDS, POSSIBLE, REASONS
from replay.client import Fieldbook, Problem, Unreachable
from replay.client.disputes import Disputes, Step
from replay.disputing.text import case_lines, preview_lines, queue_lines
from replay.evidence import read_pack, text_of
from replay.options import key_file_option, token
from replay.safe_text import safe, safe_json

STATUSES: Final = tuple(status for status, possible in POSSIBLE.items() if possible)
FORMS: Final = {
    "markdown": "text/markdown",
    "html": "text/html",
    "json": "application/json",
}
PATIENCE: Final = 15.0
_CASE: Final = re.compile(r"([A-Za-z0-9_-]{1,64})/([1-9][0-9]{0,5})")


class _Refused(click.ClickException):
    """The service refuses; status 1."""

    exit_code = 1


@click.group()
@click.option(
    "--service",
    envvar="FIELDBOOK_SERVICE",
    default="http://localhost:8000",
    show_default=True,
    metavar="ADDRESS",
    help="The service; FIELDBOOK_SERVICE names it too.",
)
@key_file_option
@click.pass_context
def disputes(context: click.Context, service: str) -> None:
    """Settle disputes: list and read them, claim, rule, accept and appeal.

    A case is named by its game and its number in it, such as 7f3c9a1e5b/1. Status 1 where the service refuses.
    """
    try:
        context.obj = Fieldbook(service, token(), patience=PATIENCE).disputes
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _case(context: click.Context, argument: click.Parameter, named: str) -> tuple[str, int]:
    found = _CASE.fullmatch(named)
    if found is None:
        raise click.BadParameter(
            f"{safe(named, 80)} names no case; say GAME/NUMBER, such as 7f3c9a1e5b/1.", context, argument
        )
    return found[1], int(found[2])


case_argument = click.argument("case", metavar="GAME/NUMBER", callback=_case)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
text_option = click.option("--text", required=True, help="What you have to say.")


@contextmanager
def refusals() -> Iterator[None]:
    """End with status 1 and what the service says where it refuses, with 2 where it cannot be asked."""
    try:
        yield
    except Problem as problem:
        text = f"The service refuses ({problem.status} {safe(problem.code, 60)}): {safe(problem.detail, 600)}"
        if isinstance(problem, Unreachable):
            raise click.UsageError(f"The service does not answer: {safe(problem.detail, 300)}") from problem
        raise _Refused(text) from problem


@disputes.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only those with this status.")
@click.option("--reason", type=click.Choice(REASONS), help="Only those with this reason.")
@click.option("--older-than", metavar="AGE", help="Only those opened so long ago, such as 2d or 12h.")
@click.option("--game", help="Only those of this game.")
@json_option
@click.pass_obj
def list_disputes(found: Disputes, /, *, as_json: bool, **filters: str | None) -> None:
    """List the disputes that have not ended, oldest first; for keys with the scope arbitrate."""
    with refusals():
        rows = [*found.queue(**filters)]
    if as_json:
        put_json(rows)
    else:
        put(queue_lines(rows, time.time_ns() // 1_000_000))


@disputes.command()
@case_argument
@click.option(
    "--evidence", type=click.Choice(["text", *FORMS]), help="Print the evidence pack in this form instead."
)
@json_option
@click.pass_obj
def show(found: Disputes, case: tuple[str, int], *, evidence: str | None, as_json: bool) -> None:
    """Show a case, or what the log says about it."""
    with refusals():
        if evidence is not None:
            put_pack(found.evidence_pack(*case, FORMS.get(evidence, "application/json")), evidence)
            return
        whole = found.case(*case)
    if as_json:
        put_json(whole)
    else:
        put(case_lines(whole))


@disputes.command("open")
@click.argument("game")
@click.option("--version", type=click.IntRange(min=1), required=True, help="The version that you dispute.")
@click.option("--reason", type=click.Choice(REASONS), required=True, help="What it is about.")
@text_option
@click.option("--pause", is_flag=True, help="The game waits until the dispute is settled.")
@json_option
@click.pass_obj
def open_dispute(
    found: Disputes, game: str, *, version: int, reason: str, text: str, pause: bool, as_json: bool
) -> None:
    """Dispute a version of a game, with your seat's token or the key that set it up."""
    with refusals():
        done = found.open(game, version, reason, text, pause=pause)
    put_step(done, as_json=as_json)


@disputes.command()
@case_argument
@text_option
@click.option("--version", "versions", type=click.IntRange(min=1), multiple=True, help="What it is about.")
@json_option
@click.pass_obj
def evidence(
    found: Disputes, case: tuple[str, int], *, text: str, versions: tuple[int, ...], as_json: bool
) -> None:
    """Add evidence, as a party or as the arbiter of the case."""
    with refusals():
        done = found.take(*case, "evidence", {"text": text, "versions": list(versions)})
    put_step(done, as_json=as_json)


@disputes.command()
@case_argument
@json_option
@click.pass_obj
def claim(found: Disputes, case: tuple[str, int], *, as_json: bool) -> None:
    """Take a case on, as an arbiter."""
    with refusals():
        done = found.take(*case, "claim")
    put_step(done, as_json=as_json)


@disputes.command()
@case_argument
@json_option
@click.pass_obj
def release(found: Disputes, case: tuple[str, int], *, as_json: bool) -> None:
    """Leave a case that you have claimed to other arbiters."""
    with refusals():
        done = found.release(*case)
    put_step(done, as_json=as_json)


@disputes.command()
@case_argument
@click.option("--kind", type=click.Choice(KINDS), required=True, help="What is to happen.")
@click.option("--scope", required=True, help="What the ruling covers.")
@click.option("--reason", required=True, help="Why.")
@click.option("--to", "to_version", type=click.IntRange(min=1), help="The version to go back to.")
@click.option("--winner", "winners", type=click.IntRange(min=0), multiple=True, help="A seat that wins.")
@click.option(
    "--score", "scores", type=click.IntRange(min=0), multiple=True, help="A score for each seat in turn."
)
@click.option("--seen-confirmed", is_flag=True, help="Go back although hidden cards have been seen since.")
@click.option("--preview", is_flag=True, help="Only say what it would change.")
@json_option
@click.pass_obj
def rule(found: Disputes, /, case: tuple[str, int], *, preview: bool, as_json: bool, **ruling: Any) -> None:
    """Rule in a case that you have claimed; look at it with --preview first."""
    body = {name: value for name, value in ruling.items() if value not in (None, (), False)}
    with refusals():
        if not preview:
            put_step(found.take(*case, "rulings", body), as_json=as_json)
            return
        foreseen = found.preview(*case, body)
    if as_json:
        put_json(foreseen)
    else:
        put(preview_lines(foreseen))


@disputes.command()
@case_argument
@json_option
@click.pass_obj
def accept(found: Disputes, case: tuple[str, int], *, as_json: bool) -> None:
    """Accept a ruling, as a party. When all parties have, it is applied at once."""
    with refusals():
        done = found.take(*case, "acceptance")
    put_step(done, as_json=as_json)


@disputes.command()
@case_argument
@text_option
@json_option
@click.pass_obj
def appeal(found: Disputes, case: tuple[str, int], *, text: str, as_json: bool) -> None:
    """Appeal against a ruling, as a party: another arbiter rules, for good."""
    with refusals():
        done = found.take(*case, "appeal", {"text": text})
    put_step(done, as_json=as_json)


@disputes.command()
@case_argument
@json_option
@click.pass_obj
def withdraw(found: Disputes, case: tuple[str, int], *, as_json: bool) -> None:
    """Withdraw a case that you have opened, until a ruling is given."""
    with refusals():
        done = found.take(*case, "withdrawal")
    put_step(done, as_json=as_json)


def put_pack(content: bytes, form: str) -> None:
    """Print an evidence pack, as text from its JSON; what a terminal would obey is left out of the others."""
    if form == "text":
        try:
            text = text_of(read_pack(content))
        except msgspec.DecodeError as error:
            raise click.UsageError(f"The service sent no evidence pack: {error}.") from error
        click.echo(text, nl=False)
    elif sys.stdout.isatty():
        for line in content.decode("utf-8", "replace").splitlines():
            click.echo(safe(line, len(line)))
    else:
        click.echo(content, nl=False)


def put(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def put_step(step: Step, *, as_json: bool) -> None:
    """Print where a case stands after a step."""
    if as_json:
        put_json(step)
    else:
        click.echo(f"{safe(step.game, 64)}/{step.dispute} is {safe(step.status, 20)}.")


def put_json(value: Any) -> None:
    """Print JSON."""
    click.echo(safe_json(msgspec.json.format(msgspec.json.encode(value))))
