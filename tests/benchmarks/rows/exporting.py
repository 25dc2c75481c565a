"""How long the command works to write the page of a very long game from its record."""

import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from events.game.record import header_for, write_record
from events.log.disclosure import ALL, form_for
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.long_game import ENTRIES, long_game
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.peers.installed import Peers

LOOK_SECONDS: Final = 0.02


class Exporting:
    """Processor time of the command from its start to its end: the record read and verified, its page written."""

    name = "export"
    about = "the page of a game of 100,000 events, written by the command"

    def __init__(self, entries: int = ENTRIES) -> None:
        """Export a game of so many entries."""
        self._entries = entries

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        with TemporaryDirectory(prefix="fieldbook-bench-") as folder:
            record, page = Path(folder) / "game.ndjson", Path(folder) / "game.html"
            table, log = long_game(self._entries)
            with record.open("wb") as file:
                file.writelines(
                    write_record(header_for(table, ALL), (form_for(each, table.key, ALL) for each in log))
                )
            ends: list[tuple[float, float]] = []
            row = compared(
                self.name,
                "s",
                goal=Goal(of="figure", at_most=15.0),
                ours=Side(
                    f"replay export --to html, {len(log):,} events",
                    lambda: _exported(record, page, ends),
                ),
                rounds=rounds,
            )
            waited, peak = (max(each) for each in zip(*ends, strict=True))
            memory = f"; memory at its peak was {peak:.0f} MB" if peak else ""
            yield row.with_notes(
                f"processor time of one process; by the clock on the wall {waited:.0f} s at most. The page has"
                f" {page.stat().st_size / 1e6:.1f} MB{memory}."
            )


def _exported(record: Path, page: Path, ends: list[tuple[float, float]]) -> float:
    """Processor time of an export; how long it was waited for, and its peak of memory in megabytes, go to `ends`.

    Raises:
        ValueError: it failed.
    """
    began = time.perf_counter()
    command = [sys.executable, "-m", "replay", "export", str(record), "--to", "html", "--output", str(page)]
    process = os.posix_spawn(
        sys.executable,
        command,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)],
    )
    peak = 0.0
    while True:
        peak = _peak_of(process) or peak
        ended, status, used = os.wait4(process, os.WNOHANG)
        if ended:
            break
        time.sleep(LOOK_SECONDS)
    if status:
        raise ValueError(f"the export ended with status {os.waitstatus_to_exitcode(status)}")
    ends.append((time.perf_counter() - began, peak))
    return used.ru_utime + used.ru_stime


def _peak_of(process: int) -> float:
    """The most memory that a running program has had, in megabytes; 0 where that is not known (Linux tells).

    What `wait4` tells counts the process that started it, too, as large as that was.
    """
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0
