"""`ratings`: how strong players are, computed from records."""

import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from events.rules.errors import UnknownSystem
from events.rules.systems.registry import system_named
from replay.across.source import Beside, OpenedGame, RecordFolder
from replay.commands.shared.options import complete_files, example, json_option, print_json
from replay.platform.exit_status import FINDING
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import reason_of
from replay.ratings.document import change_row, document, lines
from replay.ratings.inputs import NOTHING_BESIDE, Inputs
from replay.ratings.rating import Rated, rate_records
from replay.ratings.times import A_TIME, ALWAYS, EVERY, PACES


@dataclass(frozen=True, slots=True)
class _Given:
    """The records in these folders, and these files, in the order given; a game's name is its path."""

    paths: tuple[Path, ...]

    def names(self) -> Iterator[str]:
        """The paths of the records."""
        for path in self.paths:
            if path.is_dir():
                yield from (str(path / name) for name in RecordFolder(path).names())
            else:
                yield str(path)

    def beside(self, name: str) -> Beside:
        """Nothing: a record tells no more than itself."""
        return RecordFolder(Path()).beside(name)

    def open(self, name: str) -> AbstractContextManager[OpenedGame]:
        """Open the record at this path."""
        return RecordFolder(Path()).open(name)


def _inputs(_context: click.Context, _parameter: click.Parameter, value: Path | None) -> Inputs:
    if value is None:
        return NOTHING_BESIDE
    try:
        return msgspec.json.decode(value.read_bytes(), type=Inputs)
    except (OSError, msgspec.DecodeError) as error:
        raise click.BadParameter(f"{value} cannot be read: {reason_of(error)}") from error


def _system(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else system_named(value).key
    except UnknownSystem as unknown:
        raise click.BadParameter(str(unknown)) from unknown


def _time(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if value != EVERY and not re.fullmatch(A_TIME, value):
        raise click.BadParameter(f"it is {EVERY}, {ALWAYS}, {', '.join(PACES)}, or a month such as 2026-11")
    return value


@click.command(
    epilog=example(
        "fieldbook replay ratings games",
        "fieldbook replay ratings games late.ndjson --system classic --inputs inputs.json --json",
        "fieldbook replay ratings games --time 2026-11",
    )
)
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    metavar="FOLDER|RECORD...",
    type=click.Path(exists=True, path_type=Path),
    shell_complete=complete_files,
)
@click.option("--system", callback=_system, help="Only games of this rule system.")
@click.option(
    "--time",
    default=ALWAYS,
    show_default=True,
    callback=_time,
    help=f"The boards of this time: {', '.join((ALWAYS, *PACES))}, a month such as 2026-11, or {EVERY} one.",
)
@click.option(
    "--inputs",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_inputs,
    help="A file with what no record tells: rulings after the end, open cases, merged players.",
)
@click.option(
    "--workers",
    type=WholeRange(1),
    help="The processes that read records; by default as many as there are cores.",
)
@click.option(
    "--changes", is_flag=True, help="In JSON, with each change of each player and the game that made it."
)
@json_option
def ratings(
    sources: tuple[Path, ...],
    *,
    system: str | None,
    time: str,
    inputs: Inputs,
    workers: int | None,
    changes: bool,
    as_json: bool,
) -> None:
    """Compute how strong players are from records: everybody gets the same figures.

    Every game is verified first; one that does not verify is named and left out. Games count in the
    order in which they ended. Status 0: all games verify, 1: one does not, 2: wrong use.
    """
    given = _Given(sources)
    try:
        if next(given.names(), None) is None:
            raise click.UsageError(f"There is no record in {', '.join(map(str, sources))}.")
        rated = rate_records(given, inputs, system=system, workers=workers)
    except OSError as error:
        raise click.UsageError(f"{error.filename or 'The records'}: {reason_of(error)}") from error
    rated.pools = {name: pool for name, pool in rated.pools.items() if time in {EVERY, name.time}}
    if as_json:
        print_json(_document(rated, with_changes=changes), indented=True)
    else:
        for line in lines(rated.pools, rated.uncounted, rated.left):
            click.echo(line)
        if not rated.pools:
            click.echo("No game is rated here.")
    sys.exit(FINDING if any(each.reason.value == "does_not_verify" for each in rated.left) else 0)


def _document(rated: Rated, *, with_changes: bool) -> dict[str, object]:
    told = {**document(rated.pools, rated.left), "uncounted": dict(sorted(rated.uncounted.items()))}
    if with_changes:
        told["changes"] = [
            {**name._asdict(), "player": change.who, **change_row(change)}
            for name, change in rated.changes
            if name in rated.pools
        ]
    return told
