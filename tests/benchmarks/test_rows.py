"""Every row and every study of the benchmarks runs, at the smallest size; no test asserts how fast anything is."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.benchmarks.figures import Options
from tests.benchmarks.peers import PeerFailed, Peers
from tests.benchmarks.rows import ROWS

QUICK = ("replay", "audit", "self-play", "environment")
"""The rows that start no service."""
OPTIONS = Options(rounds=1, peers=Peers(wanted=False), small=True)
STUDIES = {
    "collusion": "--players 3 --pool 4 --honest 2 --colluding 2 --strength 1 --size 12 --seasons 2 --honest-seasons 2"
    " --draws 19 --bank {0}/bank --picture {0}/power.svg",
    "growth": "--most 100 --folder {0}",
    "luck": "--rounds 2 --tables 2 --errors 0.5 --workers 1",
    "pages": "--events 300 --rounds 1 --jumps 3",
    "ratings": "--series 2 --deals 1",
    "stored": "--games 1",
    "strength": "--system bean-duel --bot greedy --deals 2",
    "trace_command": "-v",
}
"""The smallest arguments of each study."""


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.soak) for name in ROWS]
)
def test_a_row_is_measured(name: str) -> None:
    """Each is named after its module, and has a value of each round."""
    rows = [*import_module(f"tests.benchmarks.rows.{ROWS[name]}").run(OPTIONS)]

    assert rows
    for row in rows:
        assert row.name.partition("/")[0] == name
        assert len(row.ours.values) == 1
        assert row.ours.lowest > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_prints_its_table(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And writes its pictures."""
    monkeypatch.setenv("QUEUE_REDIS_URL", "")  # a study may set it
    arguments = STUDIES[name].format(tmp_path).split()
    command: Any = getattr(import_module(f"tests.benchmarks.studies.{name}"), name)
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)

    # Pages on a busy machine may exceed their limits, which is status 1.
    assert done.exit_code in ({0, 1} if name == "pages" else {0}), done.output
    assert done.stdout.count("\n") >= 1
    for argument in arguments:
        assert not argument.endswith(".svg") or Path(argument).read_text(encoding="utf-8").startswith("<?xml")


def test_a_peer_that_breaks_fails_with_what_it_said(tmp_path: Path) -> None:
    """It is not taken for one that is missing."""
    (tmp_path / "bin").mkdir()
    broken = tmp_path / "bin" / "python"
    broken.write_text("#!/bin/sh\necho no chess today >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o700)

    with pytest.raises(PeerFailed, match="no chess today"):
        Peers(environment=tmp_path).rate("push_uci", 0.001)
