"""What the commands have in common: their arguments and options, opening a record, ending with a finding."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import click

from events.rules.card_names import LANGUAGES
from replay.attested import Trust
from replay.commentary.languages import DEFAULT, language_of
from replay.hidden import viewer_of
from replay.report import Finding
from replay.shape import SCOPE
from replay.sources import SourceUnreadable, record_lines
from replay.trusted import NotTrustworthy, trust_in

FINDING: Final = 1
"""Exit status when a record does not verify."""


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


record_argument = click.argument("record", metavar="RECORD")
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
        with record_lines(record) as lines:
            yield lines
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error


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
