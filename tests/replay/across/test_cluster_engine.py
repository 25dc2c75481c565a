"""The map over games on an engine that is not ours, as docs/dataset.md shows it: Dask, here with two processes."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from replay.across.mapping import map_games
from replay.across.source import RecordFolder
from tests.replay.across.folders import count_entries, write, write_good, write_left
from tests.support.recorded_games import recorded_game

DOCUMENT = Path(__file__).parents[3] / "docs" / "dataset.md"
BEGIN = "def map_on_cluster("


@pytest.fixture
def client() -> Iterator[Client]:
    """A cluster of two processes on this machine."""
    two: Any = partial(LocalCluster, n_workers=2, threads_per_worker=1, processes=True)
    connected: Any = Client
    with two(dashboard_address=None, silence_logs=50) as cluster, connected(cluster) as client:
        yield client


def shown() -> Any:
    """The function that the page shows."""
    blocks = DOCUMENT.read_text("utf-8").split("```python\n")[1:]
    (code,) = (block.partition("```")[0] for block in blocks if BEGIN in block)
    names: dict[str, Any] = {}
    exec(compile(code, str(DOCUMENT), "exec"), names)  # noqa: S102 - what our own page shows
    return names["map_on_cluster"]


@pytest.mark.process
def test_dask_answers_what_our_own_map_answers(client: Client, tmp_path: Path) -> None:
    """What is left out and a game that comes twice, too; in the source's order."""
    write_left(write_good(tmp_path))
    write(tmp_path / "z.ndjson", recorded_game(1).record())
    source = RecordFolder(tmp_path)

    assert list(shown()(client, count_entries, source)) == list(map_games(count_entries, source, workers=1))
