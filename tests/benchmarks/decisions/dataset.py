"""What a dataset costs: `python -m tests.benchmarks.decisions.dataset RECORDS`, with a folder of simulated games.

Each run is a process of its own. Told are its time, the work of all of its processes, and the most memory that one of
them had; then whether the files are the same byte by byte, on one core, on two, and on one again. Without a folder it
simulates `--games` of all six rule systems first.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from service.command_line import main as fieldbook

SYSTEMS: Final = {
    "bean-duel": (2, "greedy,random"),
    "the-duel": (2, "greedy,random"),
    "classic": (3, "greedy,random,random"),
    "extended": (3, "greedy,random,random"),
    "ladybohn": (3, "greedy,random,random"),
    "ladybohn-expansion": (3, "greedy,random,random"),
}
"""Players and bots of the simulated games."""


def simulate(folder: Path, games: int) -> None:
    """Play so many games, of each system alike."""
    for system, (players, bots) in SYSTEMS.items():
        each = str(max(1, games // len(SYSTEMS)))
        given = [
            "--system",
            system,
            "--players",
            str(players),
            "--bots",
            bots,
            "--games",
            each,
            "--out",
            str(folder),
        ]
        fieldbook(["simulate", *given], standalone_mode=False)


def run(records: Path, out: Path, workers: int) -> str:
    """Write a dataset in a process of its own; the row of the table that tells of it."""
    given = [str(out), "--records", str(records), "--none-private", "--workers", str(workers)]
    command = [sys.executable, "-m", "service.command_line", "dataset", *given]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    taken, worked = time.perf_counter() - began, used.ru_utime + used.ru_stime
    size = sum(path.stat().st_size for path in out.rglob("*.parquet")) / 1e6
    return f"| {workers} | {taken:.0f} s | {worked:.0f} s | {used.ru_maxrss / 1024:.0f} MB | {size:.1f} MB |"


def digest(out: Path) -> str:
    """One digest over all files of a dataset."""
    found = hashlib.sha256()
    for path in sorted(out.rglob("*.*")):
        if path.is_file() and path.name != ".lock":
            found.update(
                f"{path.relative_to(out)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()
            )
    return found.hexdigest()


def main() -> int:
    """Measure, and print the table; 1 where the files differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("records", nargs="?", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        records = asked.records or Path(folder) / "records"
        if asked.records is None:
            simulate(records, asked.games)
        games = len(list(records.glob("*.ndjson")))
        size = sum(path.stat().st_size for path in records.glob("*.ndjson")) / 1e6
        print(f"{games} games, {size:.0f} MB of records; load {os.getloadavg()[0]:.1f}", flush=True)  # noqa: T201
        digests = set()
        for number, workers in enumerate((1, 2, 1)):
            out = Path(folder) / str(number)
            print(run(records, out, workers), flush=True)  # noqa: T201
            digests.add(digest(out))
        print("byte by byte the same" if len(digests) == 1 else "THE FILES DIFFER", flush=True)  # noqa: T201
        return len(digests) - 1


if __name__ == "__main__":
    sys.exit(main())
