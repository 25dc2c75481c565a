"""The benchmarks by name: a module for each, which measures one or more rows of the table."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from tests.benchmarks.figures import Benchmark

BENCHMARKS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "http-commands": ("tests.benchmarks.rows.http_commands", "HttpCommands"),
        "short-way": ("tests.benchmarks.rows.short_way", "ShortWay"),
        "boardgame-io": ("tests.benchmarks.rows.boardgame_io", "BoardgameIo"),
        "latency": ("tests.benchmarks.rows.latency", "Latency"),
        "spectators": ("tests.benchmarks.rows.spectators", "Spectators"),
        "replay": ("tests.benchmarks.rows.replaying", "Replaying"),
        "fold": ("tests.benchmarks.rows.folding", "Folding"),
        "audit": ("tests.benchmarks.rows.auditing", "Auditing"),
        "audit-workers": ("tests.benchmarks.rows.auditing_by_workers", "AuditingByWorkers"),
        "self-play": ("tests.benchmarks.rows.self_play", "SelfPlay"),
        "environment": ("tests.benchmarks.rows.environment", "Environment"),
        "seek": ("tests.benchmarks.rows.seeking", "Seeking"),
        "export": ("tests.benchmarks.rows.exporting", "Exporting"),
        "long-game": ("tests.benchmarks.rows.growing", "Growing"),
        "memory": ("tests.benchmarks.rows.memory", "Memory"),
        "start": ("tests.benchmarks.rows.starting", "Starting"),
        "stop": ("tests.benchmarks.rows.stopping", "Stopping"),
        "idle-streams": ("tests.benchmarks.rows.idle_streams", "IdleStreams"),
        "slow-clients": ("tests.benchmarks.rows.slow_clients", "SlowClients"),
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
