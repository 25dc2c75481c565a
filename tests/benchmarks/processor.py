"""How much processor time processes have used, from /proc (Linux); elsewhere nothing is known, and notes say so."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


def below(parent: int) -> Iterator[int]:
    """A process and all that it started."""
    yield parent
    for thread in _PROC.glob(f"{parent}/task/[0-9]*/children"):
        try:
            started = [int(each) for each in thread.read_text(encoding="ascii").split()]
        except OSError:
            continue
        for each in started:
            yield from below(each)


def named(name: str, parent: int) -> list[int]:
    """The processes below one that are this: `web`, `store`, `projector`..."""
    found = []
    for each in below(parent):
        with suppress(OSError):
            if _name((_PROC / str(each) / "cmdline").read_bytes()) == name:
                found.append(each)
    return found


def processor_seconds(processes: Iterable[int]) -> dict[str, float]:
    """What processes and all below them have used so far, by what they are: `web`, `store`, `projector`..."""
    used: dict[str, float] = {}
    for each in (each for process in processes for each in below(process)):
        try:
            name = _name((_PROC / str(each) / "cmdline").read_bytes())
            fields = (_PROC / str(each) / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            continue
        used[name] = used.get(name, 0.0) + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def between(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """What was used between two looks."""
    return {
        name: used - before.get(name, 0.0) for name, used in after.items() if used > before.get(name, 0.0)
    }


def _name(command_line: bytes) -> str:
    words = command_line.decode(errors="replace").split("\0")
    modules = [
        word.rpartition(".")[2] for word in words if word.startswith(("service.", "tests.benchmarks."))
    ]
    if modules:
        return modules[0]
    return "store" if any("valkey" in word or "redis" in word for word in words) else Path(words[0]).name
