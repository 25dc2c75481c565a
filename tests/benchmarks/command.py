"""`fieldbook bench`: measures everything beside its peers, and writes the table."""

import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from replay.commands.shared.written import say_written
from tests.benchmarks.figures import Comparison
from tests.benchmarks.machine import machine
from tests.benchmarks.peers.earlier_release import NotSetUp, UnknownRevision, earlier_release
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.release import Release
from tests.benchmarks.rows import BENCHMARKS, BESIDE_EARLIER, UnknownBenchmark, benchmark
from tests.benchmarks.table import Table, as_json, as_markdown, in_short

ROUNDS = 5
FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130


class NotMeasured(Exception):
    """A benchmark failed; the text says how."""


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="Measure only this benchmark; repeatable.")
@click.option(
    "--rounds", type=click.IntRange(1, 100), default=ROUNDS, show_default=True, help="Rounds of each."
)
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write the table here too.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write JSON here.")
@click.option("--list", "listed", is_flag=True, help="List the benchmarks, and measure nothing.")
@click.option(
    "--beside",
    metavar="REVISION",
    help="Measure an earlier release too, under the same load: a tag or a commit.",
)
@click.option("--without-peers", is_flag=True, help="Measure only Fieldbook itself.")
def bench(
    *,
    only: tuple[str, ...],
    rounds: int,
    markdown: Path | None,
    json_file: Path | None,
    listed: bool,
    beside: str | None,
    without_peers: bool,
) -> None:
    """Measure how fast Fieldbook is on this machine, beside what one would pick instead.

    `make peers` installs what stands beside it, apart from everything else; a row without its peer says so. The
    earlier release has sources and an environment of its own, set up at the first call. Exit status: 0 when every row
    was measured, whatever came out; 1 when one failed; 2 for wrong use; 130 after Ctrl-C or SIGTERM, with the rows
    there were.
    """
    try:
        chosen = {name: benchmark(name) for name in only or _names(beside, listed=listed)}
    except UnknownBenchmark as unknown:
        click.echo(unknown, err=True)
        sys.exit(WRONG_USE)
    if listed:
        for name, each in chosen.items():
            click.echo(f"{name:18} {each.about}")
        return
    _check_there_is_room_for(markdown, json_file)
    peers = Peers(wanted=not without_peers, earlier=_earlier(beside, chosen))
    seen, rows, failed, status = machine(), list[Comparison](), dict[str, str](), 0
    for name, each in chosen.items():
        try:
            with _named_when_it_fails(), _interrupted_by(signal.SIGTERM):
                for row in each.run(rounds, peers):
                    click.echo(in_short(row), err=True)
                    rows.append(row)
        except NotMeasured as error:
            click.echo(f"{name} could not be measured: {error}", err=True)
            failed[name], status = str(error), FAILED
        except KeyboardInterrupt:
            failed[name], status = "it was ended, and nothing after it was begun", INTERRUPTED
            break
    table = Table(machine=seen, rounds=rounds, rows=rows, failed=failed)
    _write(table, markdown, json_file)
    sys.exit(status)


def _names(beside: str | None, *, listed: bool) -> list[str]:
    """All benchmarks, but those that need an earlier release where there is none."""
    return [name for name in BENCHMARKS if beside or listed or name not in BESIDE_EARLIER]


def _earlier(revision: str | None, chosen: Collection[str]) -> Release | None:
    """The release to stand beside this one, set up; ends the command where it cannot be had."""
    if revision is None:
        if needing := sorted(BESIDE_EARLIER.intersection(chosen)):
            click.echo(f"{', '.join(needing)} needs an earlier release: name one with --beside.", err=True)
            sys.exit(WRONG_USE)
        return None
    try:
        return earlier_release(revision, lambda said: click.echo(said, err=True))
    except UnknownRevision as unknown:
        click.echo(unknown, err=True)
        sys.exit(WRONG_USE)
    except NotSetUp as error:
        click.echo(f"{revision} could not be set up to stand beside this release. {error}", err=True)
        sys.exit(FAILED)


@contextmanager
def _named_when_it_fails() -> Iterator[None]:
    """Whatever goes wrong in one benchmark is told in its place: the others are measured all the same."""
    try:
        yield
    except Exception as error:
        raise NotMeasured(f"{type(error).__name__}: {error}") from error


@contextmanager
def _interrupted_by(number: signal.Signals) -> Iterator[None]:
    """A signal is answered as Ctrl-C is: whatever a benchmark has started ends with it."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def _check_there_is_room_for(*files: Path | None) -> None:
    """Refuse a file that cannot be written, before minutes of measuring and not after them."""
    for file in files:
        if file is not None and not os.access(file if file.exists() else file.parent, os.W_OK):
            click.echo(f"{file} cannot be written; choose a folder that exists and is yours.", err=True)
            sys.exit(WRONG_USE)


def _write(table: Table, markdown: Path | None, json_file: Path | None) -> None:
    text = as_markdown(table)
    click.echo(text, nl=False)
    try:
        if markdown is not None:
            markdown.write_text(text, encoding="utf-8")
            say_written(markdown)
        if json_file is not None:
            json_file.write_bytes(as_json(table))
            say_written(json_file)
    except OSError as error:
        click.echo(error, err=True)
        sys.exit(WRONG_USE)
