"""How soon a page that draws a game answers, in Chromium: shared by what measures exported pages and the service's.

A jump is the scrubber put on a version anywhere in the game, the table, the sentences around it and all else drawn
and laid out. The first table is that of a slow phone: 360 x 800, a processor throttled four times by the protocol of
Chromium's developer tools; its time runs from the navigation until the table was painted, and the time since its data
were there from the end of the answer that holds them. On a busy machine all of it takes longer than it would; the
processor time that the page's thread took, for a jump in the mean and for a first table without throttling, stands
beside it.
"""

import os
from typing import Final, NamedTuple

import click
from playwright.sync_api import Browser, CDPSession, Page, ViewportSize

from tests.benchmarks.measuring import percentile

LIMITS: Final = {1_000: 50.0, 100_000: 100.0}
"""Milliseconds for a jump, p99, by the number of events."""
FIRST_TABLE: Final = 1_000.0
"""Milliseconds until the first table is there, from its data on."""
JUMPS: Final = 300
THROTTLED: Final = 4
PATIENCE: Final = 600_000.0
"""Milliseconds that a page may take to be ready for jumps."""
_DESK: Final = ViewportSize(width=1280, height=900)
_PHONE: Final = ViewportSize(width=360, height=800)
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


class FirstTable(NamedTuple):
    """Milliseconds until a phone shows the table: since the navigation, since its data; the work of its thread."""

    navigation: float
    data: float
    work: float


class Drawn(NamedTuple):
    """What was measured of a page, in milliseconds."""

    jumps: list[float]
    work: float
    first: list[FirstTable]
    first_work: float


def measured(browser: Browser, address: str, rounds: int, *, ready: str = "#seats .seat") -> Drawn:
    """Jump on a desk, once there is what `ready` selects, and wait for the first table on a phone, so many times."""
    page = browser.new_page(viewport=_DESK)
    page.goto(address)
    page.wait_for_selector(ready, timeout=PATIENCE)
    tools = _tools(page)
    before = _work(tools)
    jumps = page.evaluate(_JUMP, JUMPS)
    work = (_work(tools) - before) / JUMPS
    page.close()
    first_work = _first_table(browser, address, throttled=1).work
    first = [_first_table(browser, address, throttled=THROTTLED) for _ in range(rounds)]
    return Drawn(jumps, work, first, first_work)


def print_head() -> None:
    """Print the head of the table of figures."""
    click.echo(
        "| events | page | jump, median | p99 | longest | work"
        " | first table, throttled | since its data | work, unthrottled |"
    )
    click.echo("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")


def print_row(wanted: int, events: int, size: int, found: Drawn) -> bool:
    """Print the row of a page of so many events and bytes; whether it is within its limits."""
    jump = percentile(found.jumps, 99)
    whole = [each.navigation for each in found.first]
    since = percentile([each.data for each in found.first], 50)
    click.echo(
        f"| {events:,} | {size / 1e6:.1f} MB | {percentile(found.jumps, 50):.1f} ms"
        f" | {jump:.1f} ms | {max(found.jumps):.1f} ms | {found.work:.1f} ms"
        f" | {percentile(whole, 50) / 1000:.2f} s ({min(whole) / 1000:.2f} to {max(whole) / 1000:.2f})"
        f" | {since / 1000:.2f} s | {found.first_work / 1000:.2f} s |"
    )
    return jump <= LIMITS.get(wanted, max(LIMITS.values())) and since <= FIRST_TABLE


def print_load() -> None:
    """Print how busy the machine was."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    click.echo(f"\nLoad of the machine in the last 1, 5 and 15 minutes: {load}.")


def _first_table(browser: Browser, address: str, *, throttled: int) -> FirstTable:
    context = browser.new_context(viewport=_PHONE, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.add_init_script(_FIRST_TABLE)
    tools = _tools(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": throttled})
    page.goto(address, wait_until="commit")
    navigation, data = page.evaluate("window.firstTable")
    work = _work(tools)
    context.close()
    return FirstTable(float(navigation), float(data), work)


def _tools(page: Page) -> CDPSession:
    """The developer tools of a page, which count processor time from now on."""
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return tools


def _work(tools: CDPSession) -> float:
    """Milliseconds of processor time that the page's thread has used since it was asked first."""
    metrics = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])
