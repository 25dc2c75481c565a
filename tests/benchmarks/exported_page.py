"""How soon an exported page answers: `python -m tests.benchmarks.exported_page`, in Chromium.

Pages of a game of 1,000 events and of one of 100,000 are written, with the very modules by which the service's pages
draw, and measured as `drawing.py` says. Reading all data of the page is in the time of its first table. Wanted are a
jump within 50 and 100 ms (p99), and the table within a second. `python -m tests.benchmarks.service_page` measures the
page of a game at a service.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from playwright.sync_api import sync_playwright

from events.game.record import header_for
from events.log.disclosure import ALL, form_for
from replay.exports.page.writer import write_page
from replay.timeline.timeline import Timeline, read_timeline
from tests.benchmarks.drawing import LIMITS, measured, print_head, print_load, print_row
from tests.benchmarks.long_game import long_game
from tests.support.browser import CHROMIUM


@click.command()
@click.option("--events", multiple=True, type=int, default=tuple(LIMITS), help="Events of a game.")
@click.option("--rounds", default=5, show_default=True, help="How often the first table is waited for.")
def measure(events: tuple[int, ...], rounds: int) -> None:
    """Measure pages, and print a row of a table for each; status 1 where a limit is exceeded."""
    exceeded = False
    print_head()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for wanted in events:
            file, timeline = Path(folder) / f"{wanted}.html", _timeline(wanted)
            with file.open("wb") as output:
                write_page(timeline, "en", output)
            found = measured(browser, file.as_uri(), rounds)
            exceeded |= not print_row(wanted, timeline.last, file.stat().st_size, found)
        browser.close()
    print_load()
    sys.exit(exceeded)


def _timeline(events: int) -> Timeline:
    table, log = long_game(events)
    return read_timeline(header_for(table, ALL), (form_for(each, table.key, ALL) for each in log), ALL)


if __name__ == "__main__":
    measure()
