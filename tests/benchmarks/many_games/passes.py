"""Each pass over the games as a process of its own, with what it took, and a digest of what it wrote."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

DATASET, REPORT, SCREEN = "dataset", "report", "screen"
PASSES: Final = (DATASET, REPORT, SCREEN)
_FINE: Final = {DATASET: {0}, REPORT: {0}, SCREEN: {0, 1, 2}}
"""The statuses of each that say nothing against a record.

A screen ends with 1 where a pair stands out, and with 2 where games are so few that nothing is compared.
"""


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What a pass over so many games took.

    Attributes:
        what: one of `PASSES`.
        games: over how many games.
        workers: how many processes read them.
        seconds: from its start to its end.
        work: processor seconds of all of its processes.
        megabytes: the most memory that one of them had.
        digest: of everything that it wrote.
        load: the machine's load when it began, over a minute.
    """

    what: str
    games: int
    workers: int
    seconds: float
    work: float
    megabytes: float
    digest: str
    load: float


def run_pass(what: str, records: Path, out: Path, games: int, workers: int) -> Taken:
    """Run a pass over the records of a folder, which writes below `out`."""
    out.mkdir(parents=True)
    given = {
        DATASET: [str(out / "dataset"), "--records", str(records), "--none-private"],
        REPORT: [str(out / "report.html"), "--data", str(out / "report.json"), "--records", str(records)],
        SCREEN: [str(records), "--json"],
    }[what]
    command = [sys.executable, "-m", "service.command_line", what, *given, "--workers", str(workers)]
    load, began = os.getloadavg()[0], time.perf_counter()
    with (out / "printed").open("wb") as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    is_silent = not (out / "printed").stat().st_size
    if process.returncode not in _FINE[what] or is_silent:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return Taken(
        what=what,
        games=games,
        workers=workers,
        seconds=round(time.perf_counter() - began, 1),
        work=round(used.ru_utime + used.ru_stime, 1),
        megabytes=round(used.ru_maxrss / 1024, 1),
        digest=_digest(out),
        load=round(load, 1),
    )


def _digest(out: Path) -> str:
    """One digest over all files, with their names."""
    found = hashlib.sha256()
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.name != ".lock":
            name = path.relative_to(out).as_posix()
            found.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()
