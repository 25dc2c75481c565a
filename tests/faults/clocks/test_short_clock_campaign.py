"""The campaign of clocks in short: `make clock-faults` is the long form."""

import sys
from pathlib import Path

import pytest

from tests.faults.clocks.campaign import Length, run
from tests.faults.clocks.outages import BY_NAME
from tests.support.second_verifier import node_program

SHORT = Length(rounds=2, tables=6, calm=(1.0, 2.0), short=(4.0, 4.0), away=(4.0, 4.0), end_seconds=0.0)


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="the processes of an installation are found by /proc")
def test_no_seat_loses_time_whatever_dies(tmp_path: Path) -> None:
    """docs/durability.md, clocks: one outage in which nobody can play, and one in which nobody watches besides."""
    node_program()
    result = run(tmp_path, SHORT, [BY_NAME["web killed"], BY_NAME["store+projector paused"]])

    assert result.findings == ()
    assert [each.counts for each in result.outages] == [True, True]
    # It was looked at: time ran in an outage, and something expired.
    assert result.aftermath.judged.exposed > 0
    assert result.aftermath.judged.expiries > 0
    assert result.aftermath.verified == len(result.games) >= SHORT.tables
