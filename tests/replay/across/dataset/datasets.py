"""Records of all six rule systems for datasets, and datasets of them."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pyarrow import parquet

from replay.across.dataset.arrow import Tabulate
from replay.across.dataset.manifest import PUBLIC, Terms
from replay.across.dataset.names import Names
from replay.across.dataset.writing import open_dataset
from replay.across.left import USUALLY_LEFT
from replay.across.mapping import map_games
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from replay.across.source import GameSource
from service.simulation.self_play import self_play
from tests.replay.across.folders import write
from tests.support.recorded_games import RecordedGame
from tests.support.ruled_games import disputed_record

LOGS: Final = Path(__file__).parents[3] / "logs"
NAMES: Final = Names()
RECORDED: Final = (
    "bean-duel/two-players.ndjson.gz",
    "classic/clocked.ndjson.gz",
    "classic/disputed.ndjson.gz",
    "classic/left.ndjson.gz",
    "classic/programs.ndjson.gz",
    "classic/three-players.ndjson",
    "extended/six-players-strict-random-start.ndjson.gz",
    "ladybohn/ended-replaced.ndjson.gz",
    "ladybohn/three-players.ndjson.gz",
    "ladybohn-expansion/five-players.ndjson.gz",
    "the-duel/ended-never-begun.ndjson.gz",
    "the-duel/two-players.ndjson.gz",
)
"""Recorded games of tests/logs, no id twice: of all systems, one with a clock, and some that ended early."""
DISPUTED: Final = ((31, "extended", 4), (32, "the-duel", 2), (33, "ladybohn", 3))
"""Seed, system and players of games that went back three times."""
SIMULATED: Final = (
    ("bean-duel", ("greedy", "random")),
    ("classic", ("greedy", "greedy", "random", "random")),
    ("extended", ("greedy", "random", "greedy")),
    ("ladybohn", ("greedy", "random", "greedy")),
    ("ladybohn-expansion", ("greedy", "random", "greedy")),
    ("the-duel", ("random", "greedy")),
)
"""Games of bots, which no clock saw."""
TERMS: Final = Terms(audience=PUBLIC, leave_out=tuple(sorted(USUALLY_LEFT)))


def write_records(folder: Path) -> Path:
    """Put recorded and simulated games of all systems into a folder."""
    for name in RECORDED:
        path = folder / "recorded" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(LOGS / name, path)
    for dealt, system, players in DISPUTED:
        write(folder / "disputed" / f"{system}.ndjson.gz", disputed_record(dealt, system, players).record())
    for system, bots in SIMULATED:
        for seed in ("a", "b"):
            table, log = self_play(system, len(bots), bots, seed, {}, game=f"simulated-{system}-{seed}")
            path = folder / "simulated" / f"{system}-{seed}.ndjson"
            write(path, RecordedGame(table, tuple(log)).record())
    return folder


def write_dataset(
    folder: Path, source: GameSource, names: Names = NAMES, games_in_part: int = 1000, workers: int = 1
) -> Path:
    """Write a dataset of all games of a source."""
    with open_dataset(folder, TERMS, games_in_part=games_in_part) as writer:
        for each in map_games(Tabulate(names), source, workers):
            writer.add(each)
        writer.finish()
    return folder


def fold_all(source: GameSource) -> tuple[PlayedGame, ...]:
    """Every game of a source that can be taken."""
    found = (read_game(source, name) for name in source.names())
    return tuple(each for each in found if isinstance(each, PlayedGame))


def rows_of(dataset: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table, part by part."""
    return [row for path in files_of(dataset, table) for row in parquet.read_table(path).to_pylist()]


def files_of(dataset: Path, table: str) -> Iterator[Path]:
    """The files of a table."""
    return iter(sorted((dataset / table).glob("*/*/*.parquet")))


def digests(dataset: Path) -> dict[str, str]:
    """The SHA-256 of each file of a dataset."""
    return {
        path.relative_to(dataset).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(dataset.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
