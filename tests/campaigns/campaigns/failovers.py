"""Failovers of a cluster and of a pair while people and bots play all rule systems; after each all must play on."""

from pathlib import Path
from typing import Final

from tests.campaigns.campaigns.faults import Size, run_rounds
from tests.campaigns.faults import FAILOVERS
from tests.campaigns.report import Plan, Report, Tell

FAULTS: Final = tuple(each.name for each in FAILOVERS)


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Run all failovers; those of the cluster share one installation."""
    return run_rounds(FAILOVERS, plan, folder, tell, Size(7, 6, shared=True))
