"""`python -m tests.benchmarks`: measure Fieldbook and its peers, and write one table.

The layout of this package, a developer's tool that is not installed:

- `__main__.py`: this command. `--small` runs everything at the smallest size, as the test does.
- The harness: `figures.py` (figures, goals, rows, both sides by turns, percentiles), `table.py` (the table as
  Markdown and JSON), `machine.py` (what it was measured on), `processor.py` (processor time and memory from /proc),
  `own_service.py` (starts a service, a store or a helper process and ends it), `chosen.py` (games whose commands are
  chosen before they are sent), `load.py` and `playing.py` (send them, from processes of their own), `watching.py`
  (spectators in processes of their own), `games.py` (whole games to measure).
- `rows/`: the rows of the table, a module for each benchmark, named in `rows/__init__.py`.
- `peers/`: what a user would pick instead. `make peers` installs it in a separate environment. `floor.py` is the bare
  floor: our server and an append without rules.
- `studies/`: other figures of the documentation, each a command.
- `colluding_bots.py`: bots that the screens have to find; `pictures.py`: curves as SVG.
- `test_statistics.py` holds the arithmetic, `test_rows.py` that every row and study runs. No test asserts a speed.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import click

from tests.benchmarks.figures import Comparison, Options
from tests.benchmarks.machine import machine
from tests.benchmarks.peers import Peers
from tests.benchmarks.rows import ROWS
from tests.benchmarks.table import Table, as_json, as_markdown, in_short

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option(
    "--only", multiple=True, type=click.Choice([*ROWS]), help="Measure only this benchmark; repeatable."
)
@click.option("--rounds", type=click.IntRange(1, 100), default=5, show_default=True, help="Rounds of each.")
@click.option("--markdown", type=FILE, help="Write the table here too.")
@click.option("--json", "json_file", type=FILE, help="Write JSON here.")
@click.option("--list", "listed", is_flag=True, help="List the benchmarks, and measure nothing.")
@click.option("--without-peers", is_flag=True, help="Measure only Fieldbook itself.")
@click.option("--small", is_flag=True, help="Measure at the smallest size, to try the benchmarks out.")
def bench(
    *,
    only: tuple[str, ...],
    rounds: int,
    markdown: Path | None,
    json_file: Path | None,
    listed: bool,
    without_peers: bool,
    small: bool,
) -> None:
    """Measure how fast Fieldbook is on this machine, compared with its peers.

    `make peers` installs the peers; a row without its peer says so. Exit status: 0 when
    every row was measured, whatever came out; 1 when one failed; 2 for wrong use; 130 after Ctrl-C or SIGTERM, with
    the rows measured so far.
    """
    modules = {name: import_module(f"tests.benchmarks.rows.{ROWS[name]}") for name in only or ROWS}
    if listed:
        for name, module in modules.items():
            click.echo(f"{name:14} {module.ABOUT}")
        return
    for file in filter(None, (markdown, json_file)):
        if not os.access(file if file.exists() else file.parent, os.W_OK):
            click.echo(f"{file} cannot be written; choose a folder that exists and is yours.", err=True)
            sys.exit(WRONG_USE)
    options = Options(rounds=rounds, peers=Peers(wanted=not without_peers), small=small)
    seen, rows, failed, status = machine(), list[Comparison](), dict[str, str](), 0
    for name, module in modules.items():
        try:
            with _interrupted_by(signal.SIGTERM):
                for row in module.run(options):
                    click.echo(in_short(row), err=True)
                    rows.append(row)
        except Exception as error:  # noqa: BLE001 - named in the table; the other rows are measured all the same
            failed[name], status = f"{type(error).__name__}: {error}", FAILED
            click.echo(f"{name} could not be measured: {failed[name]}", err=True)
        except KeyboardInterrupt:
            failed[name], status = "it was interrupted, and nothing after it was begun", INTERRUPTED
            break
    _write(Table(machine=seen, rounds=rounds, rows=rows, failed=failed), markdown, json_file)
    sys.exit(status)


def _write(table: Table, markdown: Path | None, json_file: Path | None) -> None:
    click.echo(as_markdown(table), nl=False)
    if markdown is not None:
        markdown.write_text(as_markdown(table), encoding="utf-8")
    if json_file is not None:
        json_file.write_bytes(as_json(table))


@contextmanager
def _interrupted_by(number: signal.Signals) -> Iterator[None]:
    """Handle a signal as Ctrl-C, so that everything a benchmark has started ends with it."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)


if __name__ == "__main__":
    bench(prog_name="python -m tests.benchmarks")
