"""`python -m tests.benchmarks`: measure everything beside its peers, and write the table."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from replay.commands.shared.written import say_written
from tests.benchmarks.figures import Comparison
from tests.benchmarks.machine import machine
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.rows import BENCHMARKS, UnknownBenchmark, benchmark
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
@click.option("--without-peers", is_flag=True, help="Measure only Fieldbook itself.")
def bench(
    *,
    only: tuple[str, ...],
    rounds: int,
    markdown: Path | None,
    json_file: Path | None,
    listed: bool,
    without_peers: bool,
) -> None:
    """Measure how fast Fieldbook is on this machine, beside what one would pick instead.

    `make peers` installs the peers in a separate environment; a row without its peer says so. Exit status: 0 when
    every row was measured, whatever came out; 1 when one failed; 2 for wrong use; 130 after Ctrl-C or SIGTERM, with
    the rows measured so far.
    """
    try:
        chosen = {name: benchmark(name) for name in only or BENCHMARKS}
    except UnknownBenchmark as unknown:
        click.echo(unknown, err=True)
        sys.exit(WRONG_USE)
    if listed:
        for name, each in chosen.items():
            click.echo(f"{name:18} {each.about}")
        return
    _check_there_is_room_for(markdown, json_file)
    peers = Peers(wanted=not without_peers)
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


if __name__ == "__main__":
    bench(prog_name="python -m tests.benchmarks")
