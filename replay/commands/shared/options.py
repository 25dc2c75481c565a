"""What the commands share: arguments and options, opening a record, ending with a finding."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import click
import msgspec
from click.shell_completion import CompletionItem

from events.game.record import RecordBroken, is_record
from events.rules.catalogues.card_names import LANGUAGES
from replay.client.game_address import SourceUnreadable
from replay.client.problems import NotTheService, Problem, Unreachable
from replay.client.sources import record_lines
from replay.commentary.messages import DEFAULT, detect_language
from replay.platform.exit_status import FINDING
from replay.platform.safe_text import reason_of, safe, safe_json
from replay.records.hidden import parse_viewer
from replay.records.report import Finding, Report
from replay.records.shape import SCOPE

KEY_VARIABLE: Final = "FIELDBOOK_KEY"
"""The variable of the environment that holds a key or token for the service in an address."""
_KEY_FILE: Final = "fieldbook.key_file"
_TOKEN: Final = re.compile(r"[!-~]{1,4096}")
_Command = TypeVar("_Command", bound=Callable[..., Any])


NOT_THE_HEADER: Final = "its first line is not the header that records begin with"


class CheckFailed(click.ClickException):
    """A check fails, or a service refuses: one line, and status 1."""

    exit_code = FINDING


class NoRecord(click.UsageError):
    """The source is no record at all: status 2, and with `--json` a report that says so."""


class ScopeName(click.ParamType[int]):
    """A perspective: `all`, `public` or `seat:N`, as the number of the viewer."""

    name = "all|public|seat:N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The viewer's number."""
        if isinstance(value, int):
            return value
        if not SCOPE.fullmatch(value):
            self.fail(
                f"{value!r} is not a perspective; there are all, public, seat:0, seat:1 and so on.",
                param,
                ctx,
            )
        return parse_viewer(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The perspectives that complete a word; a table has up to seven seats."""
        del ctx, param
        names = ("all", "public", *(f"seat:{seat}" for seat in range(7)))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def complete_files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete file names."""
    return [CompletionItem(incomplete, type="file")]


def _store_key_file(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    ctx.meta[_KEY_FILE] = value


key_file_option = click.option(
    "--key-file",
    metavar="FILE",
    expose_value=False,
    callback=_store_key_file,
    shell_complete=complete_files,
    help=f"A file with the key or token for a game's address; without it {KEY_VARIABLE} is used.",
)


def record_argument(command: _Command) -> _Command:
    """The record to read, and the key for an address."""
    with_key = key_file_option(command)
    return click.argument("record", metavar="SOURCE", shell_complete=complete_files)(with_key)


as_option = click.option(
    "--as",
    "viewer",
    type=ScopeName(),
    metavar="all|public|seat:N",
    help="The perspective to show; without it everything that the record holds.",
)


language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="The language of the sentences; by default that of the environment on a terminal, else English.",
)


@dataclass(frozen=True, slots=True)
class View:
    """Whose perspective to show, in which language, and whether as JSON."""

    viewer: int | None
    language: str
    as_json: bool


def view_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say how to show a record; the command gets them as `view`, with --json where it has that."""

    @wraps(command)
    def with_view(*, viewer: int | None, language: str | None, as_json: bool = False, **given: Any) -> None:
        command(**given, view=View(viewer, language_for(language, as_json=as_json), as_json))

    return as_option(language_option(with_view))


def language_for(asked: str | None, *, as_json: bool = False) -> str:
    """The language asked for, or on a terminal the reader's; what another program reads is English unless it asks."""
    if asked is not None:
        return asked
    return detect_language(os.environ) if sys.stdout.isatty() and not as_json else DEFAULT


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@contextmanager
def open_record(record: str) -> Iterator[Iterator[bytes]]:
    """The lines of a record; ends the program with status 2 where it cannot be opened, or is no record."""
    try:
        with record_lines(record, read_token()) as lines:
            yield _require_record(lines, record)
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error


def _require_record(lines: Iterator[bytes], source: str) -> Iterator[bytes]:
    """The same lines; ends the program where the first one is not that of a record.

    A compressed file whose beginning is damaged may have been one: that is a finding of whoever reads on.
    """
    try:
        first = next(lines, b"")
    except RecordBroken as broken:
        return raise_when_read(broken)
    if not is_record(first):
        raise NoRecord(f"{safe(source, 200)} is no record: {NOT_THE_HEADER}.")
    return chain([first], lines)


def report_no_record() -> Report:
    """The report on what is no record, for machines."""
    finding = Finding("record", 0, f"this is no record: {NOT_THE_HEADER}")
    return Report(ok=False, scope="", game="", findings=(finding,), stopped_early=True)


def raise_when_read(broken: RecordBroken) -> Iterator[bytes]:
    """Return lines that raise the error when they are read."""
    yield from ()
    raise broken


def problem_exit(problem: Problem, refuses: str) -> click.ClickException:
    """Return the end of the program for a problem: status 1 where the service refuses, 2 where it does not answer."""
    who = f"The service at {safe(problem.address, 200)}"
    if isinstance(problem, Unreachable):
        return click.UsageError(f"{who} does not answer: {safe(problem.detail, 600)}")
    if isinstance(problem, NotTheService):
        return click.UsageError(f"{who} answers with {safe(problem.detail, 600)}")
    return CheckFailed(
        f"{who} {refuses} ({problem.status} {safe(problem.code, 60)}): {safe(problem.detail, 600)}"
    )


def read_token() -> str | None:
    """The key or token for a service, from a file or the environment: never from the command line itself."""
    path = click.get_current_context().meta.get(_KEY_FILE)
    if path is None:
        found = os.environ.get(KEY_VARIABLE, "").strip()
        where = KEY_VARIABLE
    else:
        where = f"--key-file {path}"
        try:
            with Path(path).open(encoding="utf-8") as file:
                found = file.read(5_000).strip()
        except (OSError, UnicodeDecodeError) as error:
            raise click.UsageError(f"{where} cannot be read: {reason_of(error)}.") from error
    if not found and path is None:
        return None
    if not _TOKEN.fullmatch(found):
        raise click.UsageError(f"{where} has no key or token, which is one word of printable ASCII.")
    return found


def print_json(value: Any, *, indented: bool = False) -> None:
    """Print one JSON value, on a line or indented."""
    encoded = msgspec.json.encode(value)
    click.echo(safe_json(msgspec.json.format(encoded) if indented else encoded))


def describe_finding(finding: Finding) -> str:
    """A finding as a line of text."""
    where = f"version {finding.version}" if finding.version else "the header"
    return f"{where}: {finding.reason} [{finding.check}]"


def exit_with_finding(finding: Finding) -> NoReturn:
    """End the program with a finding."""
    click.echo(f"The record does not verify at {describe_finding(finding)}", err=True)
    sys.exit(FINDING)


def example(*lines: str) -> str:
    """Examples for the end of a help text, not wrapped."""
    return "\b\n" + "\n".join(
        ["Example:" if len(lines) == 1 else "Examples:", *(f"  {each}" for each in lines)]
    )
