"""Processor time and memory of processes, from /proc (Linux); elsewhere both are unknown, and notes say so."""

import os
import resource
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

LOOK_SECONDS: Final = 0.5
PATIENCE_SECONDS: Final = 30.0
QUIET_PROCESSORS: Final = 0.15
"""The processors that an idle service may keep busy: processes that follow the feeds never rest altogether."""
_PROC: Final = Path("/proc")


def below(parent: int) -> Iterator[int]:
    """Yield a process and all that it started."""
    yield parent
    for thread in _PROC.glob(f"{parent}/task/[0-9]*/children"):
        with suppress(OSError):
            for each in thread.read_text(encoding="ascii").split():
                yield from below(int(each))


def processor_seconds(processes: Iterable[int]) -> dict[str, float]:
    """Return what processes and all below them have used so far, by their names: `web`, `store`, `projector`..."""
    used: dict[str, float] = {}
    for each in (each for process in processes for each in below(process)):
        with suppress(OSError):
            stat = (_PROC / str(each) / "stat").read_text(encoding="ascii")
            fields = stat.rpartition(")")[2].split()
            spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            used[name_of(each)] = used.get(name_of(each), 0.0) + spent
    return used


def used_between(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """Return the difference of two results of `processor_seconds`."""
    spent = {name: used - before.get(name, 0.0) for name, used in after.items()}
    return {name: each for name, each in spent.items() if each > 0}


def await_quiet(processes: Sequence[int]) -> float:
    """Wait until these and all below them are idle, at most half a minute.

    Return the processors that they kept busy in the last half second; 0 where processor time is unknown.
    """
    deadline, before = time.monotonic() + PATIENCE_SECONDS, sum(processor_seconds(processes).values())
    while True:
        time.sleep(LOOK_SECONDS)
        used = sum(processor_seconds(processes).values())
        busy, before = (used - before) / LOOK_SECONDS, used
        if busy < QUIET_PROCESSORS or time.monotonic() >= deadline:
            return busy


def megabytes(parent: int, name: str | None = None) -> float:
    """Return the proportional set size of a process and all below it, or of those of this name, in MiB.

    Pages that several processes share count in parts.

    Raises:
        ValueError: it is unknown on this system.
    """
    found = 0.0
    for each in below(parent):
        with suppress(OSError):
            if name in {None, name_of(each)}:
                lines = (_PROC / str(each) / "smaps_rollup").read_text(encoding="utf-8").splitlines()
                found += sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))
    if not found:
        raise ValueError("The memory of processes is read from /proc, which this system does not have.")
    return found


def name_of(process: int) -> str:
    """Return the name of a process by its module: `web`, `store`, `projector`...

    Raises:
        OSError: the process has ended.
    """
    words = (_PROC / str(process) / "cmdline").read_bytes().decode(errors="replace").split("\0")
    modules = [
        word.rpartition(".")[2] for word in words if word.startswith(("service.", "tests.benchmarks."))
    ]
    if modules:
        return modules[0]
    return "store" if any("valkey" in word or "redis" in word for word in words) else Path(words[0]).name


def allow_files(wanted: int) -> None:
    """Let this process open this number of files, up to the hard limit."""
    files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < wanted:
        most = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, allowed))
