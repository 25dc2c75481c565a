"""Every campaign in short: `python -m tests.campaigns` is the long form."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns.__main__ import CAMPAIGNS
from tests.campaigns.campaigns.sick_partition import USUAL_SECONDS, await_usual, find_unusual
from tests.campaigns.campaigns.upgrades import order_of
from tests.campaigns.faults import FAULTS, Round
from tests.campaigns.load import Ledger
from tests.campaigns.report import Plan
from tests.support.depth import depth
from tests.support.processes import with_setting
from tests.support.second_verifier import node_program
from tests.support.servers import ROOT, environment_without_settings, eventually

KINDS = [each.name for each in FAULTS if each.setting.durability in depth({"fsync"}, {"fsync", "local"})]
SHORT = {
    "faults": Plan(KINDS, 1, clients=4, seconds=2.0, patient=False, shared=True),
    "clocks": Plan(("web killed", "store+projector paused"), 2, clients=6, seconds=4.0, patient=False),
    "failovers": Plan(rounds=1, clients=6, patient=False),
    "endurance": Plan(("store", "web"), clients=2, seconds=16.0, load=4.0, patient=False),
    "hostile": Plan(seconds=12.0, clients=4),
    "sick_partition": Plan(seconds=6.0, slack=4.0),
    "upgrades": Plan(("forward",), clients=4, before="HEAD"),
}
SLOW = (
    "the players' p99",
    "a command's answer",
    "streams",
    "the list of games was",
    "the list of games outside",
)
"""Findings that say more about a machine with other tests to run than about the service."""


@pytest.mark.soak
@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found and limited by /proc and prlimit")
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.xdist_group(f"campaign {each}")) for each in SHORT]
)
def test_nothing_acknowledged_is_lost(name: str, tmp_path: Path) -> None:
    """Nor anything else that the campaign checks: docs/durability.md, docs/limits.md, docs/upgrading.md."""
    node_program()
    report = CAMPAIGNS[name].run(SHORT[name], tmp_path, lambda _: None)

    assert [each for each in report.findings if not each.startswith(SLOW)] == [], report.notes
    assert all(rows for _, rows in report.tables)


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda each: each.name
)
def test_an_interrupted_campaign_leaves_nothing_behind(number: signal.Signals, tmp_path: Path) -> None:
    """No process, even if its store was paused just then; and no folder unless it was killed."""
    command = [sys.executable, "-m", "tests.campaigns", "faults", "--fault", "paused-store", "--clients", "2"]
    environment = environment_without_settings() | {"TMPDIR": str(tmp_path)}
    campaign = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        # Store, web with two further processes, projector, bots, worker.
        eventually(lambda: len(with_setting("FIELDBOOK_PARENT", str(campaign.pid))) >= 7)
        campaign.send_signal(number)
        assert campaign.wait(60) != 0
    finally:
        campaign.kill()
        campaign.wait(10)
    eventually(lambda: with_setting("FIELDBOOK_PARENT", str(campaign.pid)) == [], seconds=30)
    assert number == signal.SIGKILL or list(tmp_path.iterdir()) == []


def test_a_lag_without_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much slack there is; a lag in time is not a finding."""

    class Playing:
        ledger = Ledger()

    round_ = Round(None, Playing(), random.Random(1), 1.0, 4.0)  # type: ignore[arg-type]
    for what in USUAL_SECONDS:
        monkeypatch.setitem(USUAL_SECONDS, what, 0.05)
        await_usual(round_, what, lambda: False)
    find_unusual(round_)
    assert [each.partition(" took ")[0] for each in Playing.ledger.findings] == [*USUAL_SECONDS]


def test_every_process_is_exchanged_once_and_the_web_last() -> None:
    """On the way back the web is first; a random order follows from its seed."""
    forward, back = order_of(1, back=False), order_of(1, back=True)
    assert (
        [place.process for place in forward[-2:]] == [place.process for place in back[:2]] == ["web", "web"]
    )
    assert order_of(3, back=False) == order_of(3, back=False) != order_of(4, back=False)
    assert {*order_of(3, back=False)} == {*forward} == {*back}
    assert len(forward) == len(back) == len({*forward})
