"""How fast any version of a long game is there: `python -m tests.benchmarks.decisions.seek`, with 100,000 entries.

A game is played by the rules to its end, with talk and offers that are withdrawn between any two moves, and written
as a record. Another process reads it as the commands do, verifying everything, and looks up versions at random, as
different viewers, by each unit forward and back, and changing the viewer where it stands. Issue 7 wants the table at
any version in less than 5 ms (p99).
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from events.game.record import header_for, read_record, write_record
from events.log.disclosure import ALL, PUBLIC, form_for, viewer_name
from replay.client.sources import record_lines
from replay.timeline.knowledge import knowledge
from replay.timeline.timeline import COMMAND, EVENT, PHASE, TURN, Timeline, read_timeline
from tests.benchmarks.long_game import ENTRIES, PLAYERS, long_game

TRIES = 2_000
LIMIT = 5.0
"""Milliseconds at work for a table, p99."""
NO_TABLE = "what a seat could know"
"""What is measured besides, and has no limit."""


def measured(action: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds that an action takes, and those of them in which it was at work: others use the machine too."""
    began, worked = time.perf_counter(), time.process_time()
    action()
    return (time.perf_counter() - began) * 1_000, (time.process_time() - worked) * 1_000


def megabytes() -> float:
    """The memory that this process has."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def put(name: str, times: list[tuple[float, float]]) -> float:
    """Print a line; answers the p99 of the work."""
    taken = statistics.quantiles([taken for taken, _ in times], n=100)
    worked = statistics.quantiles([worked for _, worked in times], n=100)
    work = f"at work p50 {worked[49]:6.3f}, p99 {worked[98]:6.3f}"
    print(f"{name:28} p50 {taken[49]:7.3f} ms   p99 {taken[98]:7.3f} ms   {work}", flush=True)  # noqa: T201
    return worked[98]


def lookups(whole: Timeline, chance: random.Random) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is measured, each time at another place."""

    def anywhere() -> int:
        return chance.randint(1, whole.last)

    def at(seen: Timeline) -> object:
        return seen.at(anywhere())

    def after(unit: str) -> object:
        return whole.at(whole.after(anywhere(), unit))

    def back(unit: str) -> object:
        return whole.at(whole.back(anywhere(), unit))

    for viewer in (ALL, PUBLIC, 1):
        seen = whole.seen_by(viewer)
        yield f"at, as {viewer_name(viewer)}", partial(at, seen)
    for unit in (EVENT, COMMAND, PHASE, TURN):
        yield f"after, by {unit}", partial(after, unit)
        yield f"back, by {unit}", partial(back, unit)
    yield "before", lambda: whole.before(anywhere())
    here = whole.last // 2
    yield "another viewer, here", lambda: whole.seen_by(chance.randrange(PLAYERS)).at(here)
    yield "another viewer, anywhere", lambda: whole.seen_by(chance.randrange(PLAYERS)).at(anywhere())
    yield "the next entry", whole.steps.__next__
    yield NO_TABLE, lambda: told(whole.seen_by(chance.randrange(PLAYERS)), anywhere())


def told(timeline: Timeline, version: int) -> object:
    """What the viewer could know at a version."""
    known = timeline.recording.at(version).moment.known
    return knowledge(timeline.header.catalogue, timeline.at(version).state, known, timeline.viewer)


def measure(path: str) -> int:
    """Read the record and look things up; the status is 1 where a table takes too long."""
    before = megabytes()
    began = time.perf_counter(), time.process_time()
    with record_lines(path) as lines:
        whole = read_timeline(*read_record(lines), ALL)
    assert whole.broken is None, whole.broken
    took, worked = time.perf_counter() - began[0], time.process_time() - began[1]
    print(f"{'entries':32} {whole.last:,}, {Path(path).stat().st_size / 1e6:.0f} MB as a file")  # noqa: T201
    print(f"{'reading, everything verified':32} {took:.1f} s, of which at work {worked:.1f} s")  # noqa: T201
    print(f"{'memory for it':32} {megabytes() - before:.0f} MB more than before")  # noqa: T201
    chance, slow = random.Random(7), False
    for name, action in lookups(whole, chance):
        p99 = put(name, [measured(action) for _ in range(TRIES)])
        slow = slow or (name != NO_TABLE and p99 > LIMIT)
    print(f"{'memory in the end':32} {megabytes() - before:.0f} MB more than before")  # noqa: T201
    return int(slow)


def main() -> int:
    """Play the game and measure it in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES, help="how long the game is")
    parser.add_argument("--record", help="measure this record instead")
    asked = parser.parse_args()
    if asked.record:
        return measure(asked.record)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "long.ndjson"
        table, log = long_game(asked.entries)
        forms = (form_for(entry, table.key, ALL) for entry in log)
        path.write_bytes(b"".join(write_record(header_for(table, ALL), forms)))
        command = [sys.executable, "-m", "tests.benchmarks.decisions.seek", "--record", str(path)]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
