"""The fault in short: `python -m tests.faults.sick_partition` is the long form."""

import sys
from pathlib import Path

import pytest

from tests.faults.sick_partition import run


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="the processes of an installation are found by /proc")
def test_partitions_that_take_no_writes_hold_up_nobody_else(tmp_path: Path) -> None:
    """docs/durability.md, failovers: the games on the sound primaries go on, and the others when they can."""
    # Other tests run beside it; that nobody waits for as long as the fault lasts is what the long form says.
    assert run(tmp_path, seconds=6.0, slack=4.0) == []
