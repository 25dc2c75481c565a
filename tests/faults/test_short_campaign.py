"""The campaign in short: every fault once. `make faults` is the long form."""

import sys
from pathlib import Path

import pytest

from tests.faults.campaign import Length, run
from tests.faults.installation import Setting
from tests.faults.kinds import KINDS
from tests.faults.results import failures
from tests.support.depth import depth

SHORT = Length(rounds=1, slow_rounds=1, clients=4, pause_seconds=2.0, patient=False)
SETTINGS = (Setting("fsync", proxied=True), *depth((), (Setting("local"),)))


@pytest.mark.deep
@pytest.mark.skipif(
    sys.platform != "linux", reason="faults find and bound other processes by /proc and prlimit"
)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.durability)
def test_nothing_acknowledged_is_lost_whatever_dies(tmp_path: Path, setting: Setting) -> None:
    """One installation after the other is broken in every way of its level while clients play on it."""
    kinds = [kind for kind in KINDS if kind.setting.durability == setting.durability]

    outcomes = run(kinds, setting, SHORT, tmp_path)

    assert [outcome.kind for outcome in outcomes] == kinds
    for outcome in outcomes:
        assert outcome.findings == (), (outcome.kind.name, failures(outcome))
        # Every client has had a command acknowledged after the fault; more is a matter of how fast the machine is.
        assert outcome.tally.acknowledged >= SHORT.clients
