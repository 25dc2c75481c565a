"""The fault in short: `python -m tests.faults.sick_partition` is the long form."""

import sys
from pathlib import Path

import pytest

from tests.faults.sick_partition import USUAL_SECONDS, Lags, await_usual, run

SLACK = 4.0


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="the processes of an installation are found by /proc")
def test_partitions_that_take_no_writes_hold_up_nobody_else(tmp_path: Path) -> None:
    """docs/durability.md, failovers: the games on the sound primaries go on, and the others when they can."""
    # Other tests run beside it; that nobody waits for as long as the fault lasts is what the long form says.
    assert run(tmp_path, seconds=6.0, slack=SLACK) == []


def test_what_does_not_come_at_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much slack there is; what came in time is not."""
    lags = Lags()
    for what in USUAL_SECONDS:
        monkeypatch.setitem(USUAL_SECONDS, what, 0.05)
        await_usual(lags, what, lambda: False)
    assert [each.partition(" took ")[0] for each in lags.findings(SLACK)] == [*USUAL_SECONDS]
    in_time = Lags(longest=dict.fromkeys(USUAL_SECONDS, 0.1))
    assert in_time.findings(SLACK) == []
