"""The benchmarks that start a whole service run, at a tiny size, and leave nothing behind."""

import pytest

from tests.benchmarks.figures import Benchmark
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Size
from tests.benchmarks.rows.auditing_by_workers import AuditingByWorkers
from tests.benchmarks.rows.boardgame_io import BoardgameIo
from tests.benchmarks.rows.http_commands import HttpCommands
from tests.benchmarks.rows.idle_streams import IdleStreams, Silence
from tests.benchmarks.rows.latency import Latency
from tests.benchmarks.rows.short_way import ShortWay
from tests.benchmarks.rows.slow_clients import SlowClients, Standstill
from tests.benchmarks.rows.spectators import Crowd, Spectators
from tests.benchmarks.rows.stopping import Stopping

TINY = Size(games=2, warm_up=0.5, seconds=1.0)
SMALL_CROWD = Crowd(spectators=5, games=2, rate=10.0, warm_up=0.2, seconds=1.0)
SILENCE = Silence(streams=20, games=2, rate=20.0)
STANDSTILL = Standstill(silent=5, heads=2, bodies=2, rate=20.0)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tiny", "rows"),
    [
        (HttpCommands(TINY), ["http-commands", "http-commands/bare"]),
        (ShortWay(TINY, looks=100), ["short-way", "short-way/tables", "short-way/legal-commands"]),
        (BoardgameIo(TINY), ["boardgame-io/flat-file", "boardgame-io/in-memory"]),
        (Latency(TINY), ["latency"]),
        (Spectators((SMALL_CROWD,)), ["spectators/10"]),
        (Stopping(SMALL_CROWD), ["stop"]),
        (IdleStreams(SILENCE, TINY), ["idle-streams/memory", "idle-streams/commands"]),
        (SlowClients(STANDSTILL, TINY), ["slow-clients"]),
        (AuditingByWorkers(games=2), ["audit-workers"]),
    ],
    ids=lambda value: value.name if hasattr(value, "name") else None,
)
def test_a_benchmark_with_a_service_gives_its_rows(tiny: Benchmark, rows: list[str]) -> None:
    """Its peers are left out: they are not installed everywhere."""
    found = list(tiny.run(1, Peers(wanted=False)))

    assert [row.name for row in found] == rows
    for row in found:
        assert row.ours.lowest > 0
        assert row.command == f"python -m tests.benchmarks --only {tiny.name}"
