"""How soon the page of a game at a service answers: `python -m tests.benchmarks.service_page`, in Chromium.

A finished game is put into the store of a service, and its page measured as `drawing.py` says: jumps once the whole
game has been verified in the browser, and the first table in a browser that has never been here, so that all modules
are loaded, too. Wanted are a jump within 50 ms (p99) in a game of 1,000 events, and the table within a second of its
data. `python -m tests.benchmarks.exported_page` measures the page that needs no service.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from playwright.sync_api import sync_playwright

from tests.benchmarks.drawing import measured, print_head, print_load, print_row
from tests.benchmarks.long_game import long_game
from tests.benchmarks.stores import put
from tests.support.browser import CHROMIUM
from tests.support.processes import Service

VERIFIED: Final = "#verified.verified_whole"
"""What a page has once all of its game was verified in the browser."""


@click.command()
@click.option("--events", multiple=True, type=int, default=(1_000,), help="Events of a game.")
@click.option("--rounds", default=5, show_default=True, help="How often the first table is waited for.")
def measure(events: tuple[int, ...], rounds: int) -> None:
    """Measure pages, and print a row of a table for each; status 1 where a limit is exceeded."""
    exceeded = False
    print_head()
    with (
        TemporaryDirectory() as folder,
        Service(Path(folder)) as service,
        sync_playwright() as playwright,
    ):
        service.start("store", "web")
        service.await_ready()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for wanted in events:
            table, log = long_game(wanted, game=f"long{wanted}")
            store = service.open_store()
            put(store, table, log)
            store.close()
            size = len(service.api.call("GET", f"/v1/games/{table.game}/history").body)
            address = f"http://127.0.0.1:{service.port}/games/{table.game}"
            found = measured(browser, address, rounds, ready=VERIFIED)
            exceeded |= not print_row(wanted, len(log), size, found)
        browser.close()
    print_load()
    sys.exit(exceeded)


if __name__ == "__main__":
    measure()
