"""The benchmarks by name: a module for each, which measures one or more rows of the table."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from benchmarks.figures import Benchmark

BENCHMARKS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "http-commands": ("benchmarks.rows.http_commands", "HttpCommands"),
        "boardgame-io": ("benchmarks.rows.boardgame_io", "BoardgameIo"),
        "latency": ("benchmarks.rows.latency", "Latency"),
        "spectators": ("benchmarks.rows.spectators", "Spectators"),
        "replay": ("benchmarks.rows.replaying", "Replaying"),
        "fold": ("benchmarks.rows.folding", "Folding"),
        "audit": ("benchmarks.rows.auditing", "Auditing"),
        "self-play": ("benchmarks.rows.self_play", "SelfPlay"),
        "seek": ("benchmarks.rows.seeking", "Seeking"),
        "long-game": ("benchmarks.rows.growing", "Growing"),
        "memory": ("benchmarks.rows.memory", "Memory"),
        "start": ("benchmarks.rows.starting", "Starting"),
    }
)
"""Where each of them is, in the order of the table: module and class. It is imported when it is asked for."""


class UnknownBenchmark(Exception):
    """There is no benchmark of this name; the text says which there are."""


def benchmark(name: str) -> Benchmark:
    """The benchmark of this name, at its full size.

    Raises:
        UnknownBenchmark: there is none.
    """
    if name not in BENCHMARKS:
        raise UnknownBenchmark(f"There is no benchmark {name!r}; there are: {', '.join(BENCHMARKS)}.")
    module, kind = BENCHMARKS[name]
    made: Benchmark = getattr(import_module(module), kind)()
    return made
