"""`python -m tests.benchmarks`: what is listed, what is refused, and that one failure does not hide the rest."""

import json
import signal
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.benchmarks import __main__ as command
from tests.benchmarks import rows
from tests.benchmarks.figures import Benchmark, Comparison, Figure, Goal
from tests.benchmarks.measuring import command_for
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.rows import BENCHMARKS, benchmark


class Counting:
    """A benchmark that measures nothing, and says how often it was asked to."""

    name = "counting"
    about = "counts its rounds"

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        figure = Figure(what="rounds", unit="rounds", values=(float(rounds),))
        goal = Goal(of="figure", at_least=4.0)
        yield Comparison(
            name=self.name,
            ours=figure,
            beside=None,
            goal=goal,
            command=command_for(self.name),
            notes=(f"peers: {peers.wanted}",),
        )


class Failing:
    """A benchmark that fails after its first row."""

    name = "failing"
    about = "fails"

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        yield from Counting().run(rounds, peers)
        raise OSError("no room")


@pytest.fixture
def two_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two quick ones in place of those that take minutes."""
    known = {name: (__name__, kind.__name__) for name, kind in (("failing", Failing), ("counting", Counting))}
    # In this order: the first imports the command, which must not find what is put back afterwards.
    monkeypatch.setattr(command, "BENCHMARKS", known)
    monkeypatch.setattr(rows, "BENCHMARKS", known)
    monkeypatch.setattr(rows, "import_module", lambda _: _Here)


class _Here:
    """Stands for this module, which pytest imports under a name of its own."""

    Failing = Failing
    Counting = Counting


def bench(*arguments: str) -> Result:
    """Run `python -m tests.benchmarks`."""
    return CliRunner().invoke(command.bench, [*arguments])


def test_list_names_every_benchmark_and_measures_nothing() -> None:
    """One line each, with what it is about."""
    answer = bench("--list")

    assert answer.exit_code == 0
    assert [line.split()[0] for line in answer.stdout.splitlines()] == list(BENCHMARKS)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_is_known_by_its_own_name(name: str) -> None:
    """What the list says is what `--only` takes."""
    found: Benchmark = benchmark(name)

    assert found.name == name
    assert found.about


def test_an_unknown_name_is_wrong_use_and_names_the_known_ones() -> None:
    """Nothing is measured."""
    answer = bench("--only", "everything")

    assert answer.exit_code == 2
    assert "There is no benchmark 'everything'; there are: http-commands, " in answer.stderr


@pytest.mark.usefixtures("two_benchmarks")
def test_the_table_is_printed_and_written_as_markdown_and_as_json(tmp_path: Path) -> None:
    """A goal that is missed is no failure of the measurement."""
    markdown, document = tmp_path / "table.md", tmp_path / "table.json"

    answer = bench(
        "--only", "counting", "--rounds", "3", "--markdown", str(markdown), "--json", str(document)
    )

    assert answer.exit_code == 0, answer.output
    assert markdown.read_text(encoding="utf-8") == answer.stdout
    assert "**missed**" in answer.stdout
    assert json.loads(document.read_bytes())["rows"][0]["ours"]["values"] == [3.0]


@pytest.mark.usefixtures("two_benchmarks")
def test_what_fails_is_named_and_everything_else_is_measured_all_the_same() -> None:
    """With exit status 1; a row that was there before the failure stays."""
    answer = bench("--rounds", "1")

    assert answer.exit_code == 1
    assert "`failing` could not be measured: OSError: no room" in answer.stdout
    assert answer.stdout.count("| counting |") == 2


@pytest.mark.usefixtures("two_benchmarks")
@pytest.mark.parametrize(
    "interrupt",
    [
        pytest.param(lambda: signal.default_int_handler(signal.SIGINT, None), id="Ctrl-C"),
        pytest.param(lambda: signal.raise_signal(signal.SIGTERM), id="SIGTERM"),
    ],
)
def test_whoever_has_seen_enough_keeps_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupt: Callable[[], None]
) -> None:
    """A benchmark that is ended in the middle: the rows before it are printed and written."""

    def interrupted(*_: object) -> Iterable[Comparison]:
        yield from Counting().run(1, Peers(wanted=False))
        interrupt()

    monkeypatch.setattr(Failing, "run", interrupted)
    answer = bench("--rounds", "1", "--markdown", str(tmp_path / "table.md"))

    assert answer.exit_code == 130
    assert answer.stdout.count("| counting |") == 1
    assert "`failing` could not be measured: it was ended, and nothing after it was begun" in answer.stdout
    assert (tmp_path / "table.md").read_text(encoding="utf-8") == answer.stdout


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    """Not after ten minutes."""
    answer = bench("--only", "audit", "--markdown", str(tmp_path / "no folder" / "table.md"))

    assert answer.exit_code == 2
    assert "cannot be written" in answer.stderr


@pytest.mark.usefixtures("two_benchmarks")
def test_peers_are_left_out_on_request() -> None:
    """Benchmarks are told, and say it in their rows."""
    assert "peers: False" in bench("--only", "counting", "--without-peers").stdout
    assert "peers: True" in bench("--only", "counting").stdout
