"""Passes over many games at a tiny size: that they are measured, compared and drawn; never how long they take."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from tests.benchmarks.many_games.__main__ import KEPT, many_games
from tests.benchmarks.many_games.games import records_in
from tests.benchmarks.many_games.passes import PASSES, Taken
from tests.benchmarks.many_games.picture import draw

TAKEN = {
    "games": 8,
    "workers": 2,
    "seconds": 1.0,
    "work": 2.0,
    "megabytes": 150.0,
    "digest": "a",
    "load": 0.0,
}


def test_the_picture_has_a_curve_for_each_pass(tmp_path: Path) -> None:
    """The same for the same figures."""
    measured = [Taken(what=what, **(TAKEN | {"games": games})) for what in PASSES for games in (1, 8)]  # type: ignore[arg-type]
    draw(measured, tmp_path / "one.svg")
    draw(measured, tmp_path / "two.svg")

    drawn = ET.fromstring((tmp_path / "one.svg").read_text("utf-8"))  # noqa: S314 (our own picture)
    assert len(drawn.findall("{*}polyline")) == len(PASSES)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.soak
def test_every_pass_writes_the_same_on_one_process_and_on_two(tmp_path: Path) -> None:
    """Games are played once and kept, and so is what a pass took."""
    given = ["--games", "12", "--records", str(tmp_path / "games"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(many_games, given, catch_exceptions=False)

    assert done.exit_code == 0, done.output
    assert "the same, byte by byte" in done.output
    assert len(records_in(tmp_path / "games")) == 12
    taken = json.loads((tmp_path / "out" / "taken.json").read_bytes())
    assert [(each["games"], each["workers"]) for each in taken][-6:] == [(12, 2)] * 3 + [(12, 1)] * 3

    kept = tmp_path / "games" / KEPT
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == len(taken)
    kept.write_bytes(b"".join(lines[:-1]))
    again = CliRunner().invoke(many_games, given, catch_exceptions=False)
    assert again.exit_code == 0, again.output
    assert kept.read_bytes().splitlines(keepends=True)[:-1] == lines[:-1]
    assert len(kept.read_bytes().splitlines()) == len(lines)
