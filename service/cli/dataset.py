"""`fieldbook dataset`: finished games as tables in Parquet files."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from replay.across.dataset.documentation import reference
from replay.across.dataset.manifest import (
    COMPLETE,
    PUBLIC,
    DatasetRefused,
    Terms,
    choose_left_out,
)
from replay.across.dataset.names import Names
from replay.across.left import AGAINST_RECORD, Reason, count_left
from replay.across.pseudonyms import open_pseudonym_key
from replay.commands.shared.written import say_written
from replay.platform.exit_status import FINDING, INTERRUPTED, status_of
from replay.platform.optional_libraries import NotInstalled, require_library
from service.across.passes import DATASET
from service.across.queued_map import NotMapped
from service.across.stored_games import StoredGames
from service.cli.exit_status import exit_with_status
from service.cli.many_games import Readers, follow_with_bar, many_games_options, name_left, open_source
from service.platform.targets import TargetUnavailable
from service.storage.queues import QueueError

if TYPE_CHECKING:
    from replay.across.dataset.writing import DatasetWriter


def _print_columns(context: click.Context, _option: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - click's
    if asked:
        click.echo(reference(), nl=False)
        context.exit()


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@many_games_options
@click.option(
    "--for",
    "audience",
    type=click.Choice((PUBLIC, COMPLETE)),
    default=PUBLIC,
    show_default=True,
    help="Whom it is for: `public` has nothing of games that are private or unlisted.",
)
@click.option(
    "--none-private",
    is_flag=True,
    help="Say yourself that none of these records is of a private or unlisted game: no record tells.",
)
@click.option(
    "--pseudonyms",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Replace names, by the key in this file, which is made where there is none; free texts are left out.",
)
@click.option("--since-last", is_flag=True, help="Add the games that are not in yet to the dataset there.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option(
    "--columns",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_columns,
    help="Print what each column means, as Markdown.",
)
@exit_with_status
def dataset(
    *,
    out: Path,
    records: Path | None,
    archive: bool,
    audience: str,
    none_private: bool,
    pseudonyms: Path | None,
    since_last: bool,
    leave_out: tuple[str, ...],
    take: tuple[str, ...],
    workers: int | None,
    by_workers: bool,
    as_json: bool,
) -> int:
    """Write finished games as typed tables in Parquet files, by rule system and month.

    They go into the folder OUT. Every game is verified first. What is left out is named with the reason. Stop it at
    any moment, and go on with --since-last: each game is in once. Exit status: 0 when all went well, 1 when a record
    cannot be read, does not verify or contradicts another one, 2 for wrong use.
    """
    source = open_source(records, archive=archive)
    readers = Readers(source, workers, by_workers)
    if by_workers and pseudonyms is not None:
        raise click.UsageError("The key of the pseudonyms stays here: leave --by-workers out.")
    if audience == PUBLIC and (archive or records is not None) and not none_private:
        raise click.UsageError(
            "No record tells whether its game is private. Read the games from the store, or say --none-private, or"
            " --for complete."
        )
    try:
        key = b"" if pseudonyms is None else _open_key(pseudonyms, out)
        chosen = choose_left_out(audience, leave_out, take)
        terms = Terms(
            audience=audience,
            leave_out=tuple(reason for reason in Reason if reason in chosen),
            pseudonyms=hashlib.sha256(key).hexdigest()[:16] if key else "",
        )
        writer = _write(_Run(out, readers, terms, Names(key), since_last))
    except (DatasetRefused, NotInstalled, NotMapped, OSError, QueueError, TargetUnavailable) as error:
        click.echo(error, err=True)
        return status_of(error)
    if writer is None:
        return INTERRUPTED
    say_written(out, f"{writer.written} games in")
    _print(terms, writer, as_json=as_json)
    return FINDING if any(each.reason in AGAINST_RECORD for each in writer.left) else 0


@dataclass(frozen=True, slots=True)
class _Run:
    """What is to be written, and how."""

    out: Path
    readers: Readers
    terms: Terms
    names: Names
    since_last: bool


def _open_key(path: Path, out: Path) -> bytes:
    if path.resolve().is_relative_to(out.resolve()):
        raise ValueError(
            "Keep the key of the pseudonyms outside of the dataset: whoever has it knows the names."
        )
    return open_pseudonym_key(path)


def _write(run: _Run) -> "DatasetWriter | None":
    """Write what is not in yet, with a progress bar; None where it was interrupted, with what was written in."""
    require_library("pyarrow", "Parquet files")
    from replay.across.dataset.arrow import Tabulate  # noqa: PLC0415 - needs pyarrow
    from replay.across.dataset.writing import open_dataset  # noqa: PLC0415

    writer = None
    try:
        with open_dataset(run.out, run.terms, since_last=run.since_last) as writer:
            names = writer.find_new(run.readers.source)
            if isinstance(run.readers.source, StoredGames):
                writer.name_ruled_since(run.readers.source.ruled())
            answers = run.readers.map(DATASET, Tabulate(run.names), run.terms.leave_out, names)
            for each in follow_with_bar(answers, len(names), "Writing"):
                writer.add(each)
            writer.finish()
    except KeyboardInterrupt:
        there = 0 if writer is None else writer.before + writer.written
        click.echo(f"Stopped. {there} games are in; --since-last goes on.", err=True)
        return None
    return writer


def _print(terms: Terms, writer: "DatasetWriter", *, as_json: bool) -> None:
    counts = count_left(writer.left)
    if as_json:
        result = {
            "for": terms.audience,
            "games_before": writer.before,
            "games": writer.written,
            "rows": writer.rows,
            "left": counts,
        }
        click.echo(json.dumps(result, indent=2))
        return
    ruled = [each for each in writer.left if each.reason is Reason.RULED_SINCE]
    counted = name_left([each for each in writer.left if each not in ruled], "left.json")
    name_left(ruled, "left.json")
    said = f"; in, but ruled about since: {len(ruled)}" if ruled else ""
    click.echo(f"{writer.written} games, {writer.before} before; left out: {counted}{said}")
    click.echo(", ".join(f"{count} {table}" for table, count in writer.rows.items()))
