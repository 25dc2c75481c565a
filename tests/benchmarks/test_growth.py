"""The curves of growth: what counts as flat and as linear, how they are told, and that each is measured."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.benchmarks.growth.__main__ import growth
from tests.benchmarks.growth.by_events import by_events
from tests.benchmarks.growth.by_games import by_games
from tests.benchmarks.growth.curves import Curve, Shape, as_markdown
from tests.benchmarks.growth.plots import plot


def curve(shape: Shape, *values: float) -> Curve:
    """A curve with these values, at 100, 1,000 and so on."""
    return Curve(
        name="command",
        what="one command",
        along="games in the store",
        unit="ms",
        sizes=tuple(10 ** (place + 2) for place in range(len(values))),
        values=values,
        shape=shape,
        bottleneck="the append",
    )


@pytest.mark.parametrize(
    ("shape", "values", "holds"),
    [
        ("flat", (1.0, 1.0, 1.0), True),
        ("flat", (1.0, 9.0, 9.0), True),  # it is the last decade that says how it goes on
        ("flat", (2.0, 1.0, 1.5), True),
        ("flat", (1.0, 1.0, 1.7), False),
        ("flat", (1.0, 10.0, 100.0), False),
        ("linear", (1.0, 10.0, 100.0), True),
        ("linear", (1.0, 1.0, 1.0), True),
        ("linear", (1.0, 10.0, 1000.0), False),
    ],
)
def test_the_last_decade_says_whether_a_curve_is_as_it_should_be(
    shape: Shape, values: tuple[float, ...], *, holds: bool
) -> None:
    """Flat is at most 1.6 times as much for ten times the size; linear at most ten times, with a little room."""
    assert curve(shape, *values).is_as_it_should_be is holds


def test_a_curve_that_is_not_as_it_should_be_is_told() -> None:
    """A row each, a column for each size, and the power with which it grows."""
    table = as_markdown([curve("flat", 1.0, 1.0), curve("flat", 1.0, 10.0)])

    head, _, flat, steep = table.splitlines()
    assert head.startswith("|  | 100 | 1,000 |")
    assert "| size^0.00 | flat | the append |" in flat
    assert "| size^1.00 | flat, **is not** | the append |" in steep


def test_a_picture_is_the_same_for_the_same_curves(tmp_path: Path) -> None:
    """Nothing in it says when it was made."""
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    for target in (one, other):
        plot([curve("flat", 1.0, 1.1), curve("linear", 2.0, 20.0)], target)

    assert one.read_bytes() == other.read_bytes()
    assert "one command (ms)" in one.read_text()
    assert "games in the store" in one.read_text()


@pytest.mark.soak
def test_each_curve_has_a_value_for_each_size() -> None:
    """At sizes that take seconds."""
    games, events = by_games((2, 20)), by_events((60, 120))

    assert {each.name for each in games} == {
        "command",
        "list",
        "filtered-list",
        "seek",
        "rebuild",
        "validation",
    }
    assert {each.name for each in events} == {"command", "seek", "first-look", "rebuild", "validation"}
    assert all(len(each.values) == 2 and min(each.values) > 0 for each in (*games, *events))


def test_a_size_that_is_none_is_refused() -> None:
    """Fewer than a hundred make no curve."""
    refused = CliRunner().invoke(growth, ["--most", "10"])

    assert refused.exit_code == 2
    assert "--most" in refused.output


@pytest.mark.soak
def test_the_command_writes_tables_pictures_and_json(tmp_path: Path) -> None:
    """To a hundred, in a folder of one's own."""
    done = CliRunner().invoke(growth, ["--most", "100", "--folder", str(tmp_path / "new")])

    assert done.exit_code == 0, done.output
    assert done.output.count("what it is made of") == 2
    assert {each.name for each in (tmp_path / "new").iterdir()} == {"events.svg", "games.svg", "growth.json"}
    written = json.loads((tmp_path / "new" / "growth.json").read_text())
    assert [each["sizes"] for each in written["curves"]["games"]] == [[10, 100]] * 6
