"""`make dashboard`: what the dashboard shows of a service that was played on for a while, drawn as a picture.

Grafana is not needed: the queries are put to Prometheus as Grafana puts them, and drawn panel by panel.
"""

import time
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.monitoring.panels import Query, queries
from tests.monitoring.watched_service import RATE_INTERVAL, watched_service
from tests.support.prometheus import Prometheus

COLUMNS = 4
STEP_SECONDS = 1
LONGEST_LEGEND = 8


@click.command()
@click.option("--seconds", default=60, show_default=True, help="For how long it is played.")
@click.option("--picture", default="dashboard.png", show_default=True, type=click.Path(path_type=Path))
def main(seconds: int, picture: Path) -> None:
    """Play on a service for a while, watch it by Prometheus, and draw what the dashboard shows of it."""
    began = time.time()
    with TemporaryDirectory() as folder, watched_service(Path(folder), seconds) as watching:
        draw(watching, began, picture)
    click.echo(f"{picture}: what the dashboard shows of {seconds} seconds")


def draw(watching: Prometheus, began: float, picture: Path) -> None:
    """Draw every panel of the dashboard since a moment (seconds since the epoch)."""
    panels = [
        (title, list(found)) for title, found in groupby(queries(RATE_INTERVAL), lambda each: each.panel)
    ]
    rows = -(-len(panels) // COLUMNS)
    figure = Figure(figsize=(6 * COLUMNS, 3 * rows), layout="constrained")
    places = list(figure.subplots(rows, COLUMNS, squeeze=False).flat)
    for place, (title, found) in zip(places, panels, strict=False):
        place.set_title(f"{title} ({found[0].unit})", fontsize=10)
        for each in found:
            draw_query(place, watching, each, began)
        if 0 < len(place.lines) <= LONGEST_LEGEND:
            place.legend(fontsize=7)
    for place in places[len(panels) :]:
        place.set_axis_off()
    figure.savefig(picture, dpi=70)


def draw_query(place: Axes, watching: Prometheus, asked: Query, began: float) -> None:
    """Draw the lines of a query, by seconds since a moment."""
    found = watching.ask(
        "query_range", query=asked.expression, start=str(began), end=str(time.time()), step=str(STEP_SECONDS)
    )["result"]
    for series in found:
        values = [(float(at) - began, float(value)) for at, value in series["values"]]
        place.plot(*zip(*values, strict=True), label=named(asked.legend, series["metric"]))


def named(legend: str, labels: dict[str, Any]) -> str:
    """A line's legend, as Grafana fills it in; without one, what its labels say."""
    if not legend:
        return ", ".join(f"{name}={value}" for name, value in labels.items() if name != "__name__")
    for name, value in labels.items():
        legend = legend.replace("{{" + name + "}}", value)
    return legend


if __name__ == "__main__":
    main()
