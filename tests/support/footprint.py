"""What processes hold: memory, open files, threads, from /proc.

Memory is the proportional set size: what is resident, with pages that several processes share counted in parts, so
that the processes of the web, which share much, can be added up.
"""

import os
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

_PROC = Path("/proc")


class Footprint(msgspec.Struct, frozen=True):
    """What a process and all that it started hold together."""

    megabytes: float
    files: int
    threads: int


def footprints(processes: Iterable[tuple[str, int]]) -> dict[str, Footprint]:
    """What these hold now, added up by name; a process that ends meanwhile is left out."""
    found: dict[str, list[Footprint]] = defaultdict(list)
    for name, process in processes:
        with suppress(OSError, ValueError, StopIteration):
            found[name].append(_footprint(_PROC / str(process)))
    return {
        name: Footprint(
            sum(each.megabytes for each in parts),
            sum(each.files for each in parts),
            sum(each.threads for each in parts),
        )
        for name, parts in found.items()
    }


def _footprint(place: Path) -> Footprint:
    return Footprint(
        _number(place / "smaps_rollup", "Pss:") / 1024,
        len(os.listdir(place / "fd")),  # noqa: PTH208 - its names alone, without a look at each
        int(_number(place / "status", "Threads:")),
    )


def _number(file: Path, name: str) -> float:
    lines = file.read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(name)))
