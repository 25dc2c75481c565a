"""What the commands have in common: their arguments and options, opening a record, ending with a finding."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from events.rules.card_names import LANGUAGES
from replay.attested import Trust
from replay.commentary.languages import DEFAULT, language_of
from replay.game_address import SourceUnreadable
from replay.hidden import viewer_of
from replay.report import Finding
from replay.shape import SCOPE
from replay.sources import record_lines
from replay.trusted import NotTrustworthy, trust_in

FINDING: Final = 1
"""Exit status when a record does not verify."""
KEY_VARIABLE: Final = "FIELDBOOK_KEY"
"""The variable of the environment that holds a key or token for the service in an address."""
_KEY_FILE: Final = "fieldbook.key_file"
_TOKEN: Final = re.compile(r"[!-~]{1,4096}")
_Command = TypeVar("_Command", bound=Callable[..., Any])


class ScopeName(click.ParamType[int]):
    """A perspective: `all`, `public` or `seat:N`, as the number of the viewer."""

    name = "all|public|seat:N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The viewer's number."""
        if isinstance(value, int):
            return value
        if not SCOPE.fullmatch(value):
            self.fail(
                f"{value!r} is no perspective; there are all, public, seat:0, seat:1 and so on.", param, ctx
            )
        return viewer_of(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What a shell may offer; a table has up to seven seats."""
        del ctx, param
        names = ("all", "public", *(f"seat:{seat}" for seat in range(7)))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete names of files."""
    return [CompletionItem(incomplete, type="file")]


def _keep(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    ctx.meta[_KEY_FILE] = value


key_file_option = click.option(
    "--key-file",
    metavar="FILE",
    expose_value=False,
    callback=_keep,
    shell_complete=files,
    help=f"A file with the key or token for a game's address; else {KEY_VARIABLE} is used.",
)


def record_argument(command: _Command) -> _Command:
    """The record to read, and how to get at it."""
    with_key = key_file_option(command)
    return click.argument("record", metavar="SOURCE", shell_complete=files)(with_key)


as_option = click.option(
    "--as",
    "viewer",
    type=ScopeName(),
    metavar="all|public|seat:N",
    help="Whose view to show; without it all that the record holds.",
)


def trust_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say what to trust."""
    for option in (
        click.option(
            "--receipt",
            "receipts",
            multiple=True,
            metavar="FILE",
            help="A signed head of this game, kept earlier.",
        ),
        click.option("--checkpoint", metavar="FILE", help="A checkpoint of the service's log, kept earlier."),
        click.option(
            "--key",
            "keys",
            multiple=True,
            metavar="KEY|FILE",
            help="A key of the service as it publishes it, or a file with one a line.",
        ),
    ):
        command = option(command)
    return command


language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of the sentences; without it that of the environment on a terminal, and English elsewhere.",
)


def language_for(asked: str | None, *, as_json: bool = False) -> str:
    """The language asked for, or on a terminal the reader's; what another program reads is English unless it asks."""
    if asked is not None:
        return asked
    return language_of(os.environ) if sys.stdout.isatty() and not as_json else DEFAULT


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@contextmanager
def opened(record: str) -> Iterator[Iterator[bytes]]:
    """The lines of a record; ends the program with status 2 where it cannot be opened."""
    try:
        with record_lines(record, token()) as lines:
            yield lines
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error


def token() -> str | None:
    """The key or token for a service, out of a file or the environment: never from the command line itself."""
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
            raise click.UsageError(f"{where}: {error}") from error
    if not found and path is None:
        return None
    if not _TOKEN.fullmatch(found):
        raise click.UsageError(f"{where} holds no key or token: one word of printable ASCII.")
    return found


def trusted(keys: tuple[str, ...], checkpoint: str | None, receipts: tuple[str, ...]) -> Trust:
    """What the options say; ends the program with status 2 where that cannot be read."""
    try:
        return trust_in(keys, checkpoint, receipts)
    except NotTrustworthy as error:
        raise click.UsageError(str(error)) from error


def sentence(finding: Finding) -> str:
    """A finding as a line of text."""
    where = f"version {finding.version}" if finding.version else "the header"
    return f"{where}: {finding.reason} [{finding.check}]"


def stop(finding: Finding) -> NoReturn:
    """End the program with a finding."""
    click.echo(f"The record does not verify at {sentence(finding)}", err=True)
    sys.exit(FINDING)


def example(*lines: str) -> str:
    """Examples for the end of a help text, not wrapped."""
    return "\b\n" + "\n".join(
        ["Example:" if len(lines) == 1 else "Examples:", *(f"  {each}" for each in lines)]
    )
