"""One folder of records of all rule systems, its games, and their dataset, for whatever reads many games."""

from pathlib import Path

import pytest

from replay.across.dataset.told_game import ToldGame
from replay.across.played_game import PlayedGame
from replay.across.source import RecordFolder
from tests.replay.across.dataset.datasets import NAMES, fold_all, write_dataset, write_records


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of records."""
    return write_records(tmp_path_factory.mktemp("records"))


@pytest.fixture(scope="session")
def played(records: Path) -> tuple[PlayedGame, ...]:
    """The games in it, folded directly."""
    return fold_all(RecordFolder(records))


@pytest.fixture(scope="session")
def told(played: tuple[PlayedGame, ...]) -> tuple[ToldGame, ...]:
    """The same as the tables tell them."""
    return tuple(ToldGame(each, NAMES) for each in played)


@pytest.fixture(scope="session")
def dataset(records: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of these games."""
    return write_dataset(tmp_path_factory.mktemp("dataset") / "all", RecordFolder(records))
