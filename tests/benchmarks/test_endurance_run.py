"""A whole run of endurance in short: it restarts a process, accounts for everything, and leaves nothing behind."""

import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.benchmarks.endurance.installation import Installation
from tests.benchmarks.endurance.report import as_markdown
from tests.benchmarks.endurance.running import Plan, run
from tests.benchmarks.endurance.schedule import Restart
from tests.benchmarks.own_service import ServiceFailed, plain_environment
from tests.support.processes import with_setting
from tests.support.servers import ROOT, eventually

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="what processes hold is read from /proc"),
]


def test_a_run_of_some_seconds_loses_nothing_over_a_restart(tmp_path: Path) -> None:
    """The web is killed under load: nothing is lost or doubled, and every finished game verifies."""
    restart = Restart(4.0, "web", signal.SIGKILL)
    plan = Plan(seconds=12.0, load=20.0, games=2, with_bots=1, restarts=(restart,))

    found = run(plan, tmp_path)

    assert found.commands.acknowledged > 0
    assert (found.commands.lost, found.commands.doubled) == (0, 0)
    assert found.games.finished == found.games.valid == found.games.verified == found.games.told
    web = next(each for each in found.processes if each.name == "web")
    assert (web.restarts, len(web.ready)) == ({"SIGKILL": 1}, 1)
    # How late something is says more about the machine than about us here.
    late = ("a command's answer", "delivery by streams", "the list of games")
    assert [text for text in found.findings if not text.startswith(late)] == []
    assert "| lost; doubled | 0; 0 |" in as_markdown(found)
    assert msgspec.json.encode(found)


def test_without_a_load_it_is_half_of_the_highest_rate(tmp_path: Path) -> None:
    """Which is found out with everything at work that is at work later, and counts for nothing else."""
    plan = Plan(seconds=4.0, games=2, with_bots=1, restarts=(), warm_up=1.0, probe=3.0)
    found = run(plan, tmp_path)

    assert found.highest is not None
    assert found.load == found.highest / 2 > 0
    assert (found.commands.lost, found.commands.doubled) == (0, 0)
    assert found.commands.acknowledged > found.commands.rate * found.seconds > 0


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda each: each.name
)
def test_a_run_that_is_ended_leaves_no_process_behind(number: signal.Signals, tmp_path: Path) -> None:
    """Nor a folder, where it is not killed."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.benchmarks.endurance",
                "--load",
                "5",
                "--folder",
                str(tmp_path / "out"),
            ],
            cwd=ROOT,
            env=plain_environment(TMPDIR=str(tmp_path)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        eventually(lambda: len(with_setting("FIELDBOOK_PARENT", str(running.pid))) >= 8, seconds=120)
        running.send_signal(number)
        assert running.wait(60) != 0
    finally:
        running.kill()
        running.wait(10)
    eventually(lambda: with_setting("TMPDIR", str(tmp_path)) == [], seconds=60)
    if number != signal.SIGKILL:
        assert list(tmp_path.iterdir()) == []


def test_a_store_that_does_not_start_is_told_at_once(tmp_path: Path) -> None:
    """With what it says itself, and without waiting as long as for one that only takes its time."""
    installation = Installation(tmp_path, {"FIELDBOOK_STORE_PROGRAM": "/no/such/program"})

    with pytest.raises(ServiceFailed, match="/no/such/program"), installation:
        pass
    assert list(installation.processes()) == []
