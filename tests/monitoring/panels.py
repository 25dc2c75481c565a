"""What the dashboard asks: its panels with their queries, as Grafana would send them."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from tests.support.prometheus import MONITORING

RATE_INTERVAL = "$__rate_interval"
"""Grafana puts in four scrape intervals here."""


class Query(NamedTuple):
    """One line, or figure, of a panel."""

    panel: str
    unit: str
    expression: str
    legend: str


def queries(rate_interval: str = "1m") -> Iterator[Query]:
    """All queries of the dashboard, in its order."""
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            unit = panel["fieldConfig"]["defaults"]["unit"]
            expression = target["expr"].replace(RATE_INTERVAL, rate_interval)
            yield Query(panel["title"], unit, expression, target["legendFormat"])
