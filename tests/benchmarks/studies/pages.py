"""The speed of pages that draw a game, in Chromium: `python -m tests.benchmarks.studies.pages [--service]`.

Exported pages of a game of 1,000 events and of one of 100,000, with the processor time of the command that verifies
the record and writes the page, or with `--service` the page of a game of 1,000 events
at a service, which verifies the whole game in the browser first. A jump is the scrubber put on a version anywhere in
the game, the table and everything else drawn and laid out. The first table is that of a slow phone: 360 x 800, a
processor throttled four times; its time runs from the navigation until the table was painted, and "since its data"
from the end of the answer that holds them. The processor time of the page's thread is shown as well, because a busy
machine makes all of it slower. Status 1 where a limit is exceeded.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import click
from playwright.sync_api import Browser, CDPSession, ViewportSize, sync_playwright

from events.log.disclosure import ALL
from tests.benchmarks.figures import percentile
from tests.benchmarks.games import long_game, record_of
from tests.benchmarks.own_service import put
from tests.support.browser import CHROMIUM
from tests.support.processes import Service

LIMITS: Final = {1_000: 50.0, 100_000: 100.0}
"""Milliseconds for a jump, p99, by the number of events."""
FIRST_TABLE: Final = 1_000.0
"""Milliseconds until the first table is there, from its data on."""
JUMPS: Final = 300
THROTTLED: Final = 4
PATIENCE: Final = 600_000.0
"""Milliseconds that a page may take to be ready for jumps."""
TABLE: Final = "#seats .seat"
VERIFIED: Final = "#verified.verified_whole"
"""What the page of a service has once all of its game was verified in the browser."""
_JUMP: Final = """
async (jumps) => {
  const range = document.getElementById("version");
  const last = Number(range.max);
  const times = [];
  for (let jump = 0; jump < jumps; jump += 1) {
    range.value = String(1 + ((jump * 7919 + 131) % last));
    const began = performance.now();
    range.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    times.push(performance.now() - began);
    await new Promise((go) => setTimeout(go));
  }
  return times;
}
"""
_FIRST_TABLE: Final = """
window.firstTable = new Promise((there) => {
  const answers = () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/history"));
  const data = () => Math.max(0, ...answers().map(({ responseEnd }) => responseEnd));
  const painted = () => setTimeout(() => there([performance.now(), performance.now() - data()]));
  const look = () => requestAnimationFrame(document.querySelector("#seats .seat") ? painted : look);
  look();
});
"""


class PageOf(NamedTuple):
    """A page: its events and bytes, the processor time of its export, and the selector that it has once ready."""

    address: str
    events: int
    size: int
    export: float
    ready: str


class FirstTable(NamedTuple):
    """Milliseconds until a phone shows the table: since the navigation, since its data; the work of its thread."""

    navigation: float
    data: float
    work: float


@click.command()
@click.option("--service", is_flag=True, help="Measure the page of a game at a service.")
@click.option("--events", multiple=True, type=int, help="Events of a game; repeatable.")
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="Rounds of the first table."
)
@click.option("--jumps", type=click.IntRange(1), default=JUMPS, show_default=True)
def pages(*, service: bool, events: tuple[int, ...], rounds: int, jumps: int) -> None:
    """Measure pages, and print a row of a table for each."""
    exceeded = False
    click.echo(
        "| events | page | export | jump, median | p99 | longest | work"
        " | first table, throttled | since its data | work, unthrottled |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    made = _at_a_service if service else _exported
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for wanted in events or ((1_000,) if service else LIMITS):
            with made(Path(folder), wanted) as page:
                limit = LIMITS.get(wanted, max(LIMITS.values()))
                exceeded |= not _measured(browser, page, limit, rounds, jumps)
        browser.close()
    click.echo(f"\nLoad of the machine in the last minute: {os.getloadavg()[0]:.1f}.")
    sys.exit(exceeded)


@contextmanager
def _exported(folder: Path, events: int) -> Iterator[PageOf]:
    """Export the page of a game."""
    table, log = long_game(events)
    record, file = folder / f"{events}.ndjson", folder / f"{events}.html"
    record.write_bytes(b"".join(record_of(table, log, ALL)))
    command = [sys.executable, "-m", "replay", "export", str(record), "--to", "html", "--output", str(file)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"The export ended with status {process.returncode}.")
    yield PageOf(file.as_uri(), len(log), file.stat().st_size, used.ru_utime + used.ru_stime, TABLE)


@contextmanager
def _at_a_service(folder: Path, events: int) -> Iterator[PageOf]:
    """Start a service with a finished game in its store."""
    with Service(folder / str(events)) as service:
        service.start("store", "web")
        service.await_ready()
        table, log = long_game(events, game=f"long{events}")
        store = service.open_store()
        put(store, table, log)
        store.close()
        size = len(service.api.call("GET", f"/v1/games/{table.game}/history").body)
        address = f"http://127.0.0.1:{service.port}/games/{table.game}"
        yield PageOf(address, len(log), size, 0.0, VERIFIED)


def _measured(browser: Browser, of: PageOf, limit: float, rounds: int, jumps: int) -> bool:
    """Jump on a desk and wait for the first table on a phone; print the row, and return whether limits are kept."""
    page = browser.new_page(viewport=ViewportSize(width=1280, height=900))
    page.goto(of.address)
    page.wait_for_selector(of.ready, timeout=PATIENCE)
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _work(tools)
    times = page.evaluate(_JUMP, jumps)
    work = (_work(tools) - before) / jumps
    page.close()
    unthrottled = _first_table(browser, of.address, throttled=1).work
    first = [_first_table(browser, of.address, throttled=THROTTLED) for _ in range(rounds)]
    jump, whole = percentile(times, 99), [each.navigation for each in first]
    since = percentile([each.data for each in first], 50)
    click.echo(
        f"| {of.events:,} | {of.size / 1e6:.1f} MB | {of.export:.1f} s | {percentile(times, 50):.1f} ms"
        f" | {jump:.1f} ms | {max(times):.1f} ms | {work:.1f} ms"
        f" | {percentile(whole, 50) / 1000:.2f} s ({min(whole) / 1000:.2f} to {max(whole) / 1000:.2f})"
        f" | {since / 1000:.2f} s | {unthrottled / 1000:.2f} s |"
    )
    return jump <= limit and since <= FIRST_TABLE


def _first_table(browser: Browser, address: str, *, throttled: int) -> FirstTable:
    context = browser.new_context(
        viewport=ViewportSize(width=360, height=800), is_mobile=True, has_touch=True
    )
    page = context.new_page()
    page.add_init_script(_FIRST_TABLE)
    tools = context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    tools.send("Emulation.setCPUThrottlingRate", {"rate": throttled})
    page.goto(address, wait_until="commit")
    navigation, data = page.evaluate("window.firstTable")
    work = _work(tools)
    context.close()
    return FirstTable(float(navigation), float(data), work)


def _work(tools: CDPSession) -> float:
    """Return the processor time of the page's thread in milliseconds."""
    metrics = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])


if __name__ == "__main__":
    pages()
