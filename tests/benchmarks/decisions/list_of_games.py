"""How fast the list of games is: `python -m tests.benchmarks.decisions.list_of_games`, 10,000 games, every filter.

The list is written straight into its keys, as the projector writes it; no game is played.
"""

import itertools
import random
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from events.store.redis.redis_store import RedisEventStore
from service.projections.game_list import GameList
from service.projections.generations import DUE, generation_name
from service.projections.indexes import summary_writes
from service.projections.listed_games import Filter, Summary
from service.storage.checkpoints import Checkpoints, Write
from service.verification.store import Validations
from tests.support.servers import RunningStore

GAMES = 10_000
BATCH = 500
TRIES = 7
SYSTEMS = ("classic",) * 14 + ("extended",) * 3 + ("the-duel",) * 2 + ("bean-duel",)
FILTERS: dict[str, tuple[Any, ...]] = {
    "system": (None, "classic", "bean-duel"),
    "status": (None, "open", "running", "finished"),
    "player": (None, "Player 7", "Rare"),
    "validation": (None, "pending", "valid", "invalid"),
    "quarantined": (None, True, False),
}


def fill(store: RedisEventStore) -> None:
    """Write 10,000 games: most finished and valid, few of everything else."""
    chance = random.Random(1)
    waiting: dict[int, list[Write]] = {partition: [] for partition in range(store.partitions)}
    verdicts = Validations(store)
    for number in range(GAMES):
        game = f"game-{number:05}"
        status = chance.choices(("open", "running", "finished"), (2, 8, 90))[0]
        names = tuple(f"Player {chance.randrange(200)}" for _ in range(4))
        names = ("Rare", *names[1:]) if number % 2500 == 0 else names
        created = 1_700_000_000_000 + number * 1000
        quarantined = chance.random() < 0.001
        summary = Summary(
            game,
            chance.choice(SYSTEMS),
            status,
            names,
            900,
            created,
            (9, 8, 7, 6),
            (0,),
            quarantined=quarantined,
        )
        partition = store.partition_of(game)
        waiting[partition] += summary_writes(None, summary, known=True)
        judged = status == "finished" and chance.random() < 0.998
        if judged:
            key = verdicts.verdict_keys(partition)[chance.random() < 0.002]
            store.connection.command("ZADD", key, created, game)
        elif status == "finished":
            waiting[partition].append(Write("ZADD", DUE, (created, game)))
    checkpoints = Checkpoints(store)
    for partition, writes in waiting.items():
        for start in range(0, len(writes), BATCH):
            position = checkpoints.checkpoint(partition, generation_name(1))
            some = writes[start : start + BATCH]
            checkpoints.project(partition, generation_name(1), position, position + 1, some)


def measure(games: GameList, wanted: Filter, limit: int) -> list[float]:
    """Milliseconds of pages: the first some times, and those that follow it, 20 at most."""
    taken: list[float] = []
    cursor: str | None = None
    for _ in range(TRIES):
        begun = time.perf_counter()
        _, cursor = games.page(wanted, limit, None)
        taken.append(1000 * (time.perf_counter() - begun))
    for _ in range(20):
        if cursor is None:
            break
        begun = time.perf_counter()
        _, cursor = games.page(wanted, limit, cursor)
        taken.append(1000 * (time.perf_counter() - begun))
    return taken


def main() -> None:
    """Print a line for every filter alone, and how slow the slowest combinations are."""
    with TemporaryDirectory() as folder, RunningStore(Path(folder)) as running:
        store = RedisEventStore.connect(running.url)
        fill(store)
        games = GameList(store)
        wanted = [Filter(*values) for values in itertools.product(*FILTERS.values())]
        for limit in (50, 200):
            found = {each: measure(games, each, limit) for each in wanted}
            alone = [each for each in wanted if sum(_is_set(each)) <= 1]
            for each in alone:
                sys.stdout.write(_line(limit, _named(each), found[each]))
            slowest = sorted(found, key=lambda each: statistics.median(found[each]))[-5:]
            for each in slowest:
                sys.stdout.write(_line(limit, f"slow: {_named(each)}", found[each]))
            everything = [one for taken in found.values() for one in taken]
            sys.stdout.write(_line(limit, f"all {len(wanted)} combinations", everything))
        store.close()


def _is_set(wanted: Filter) -> list[bool]:
    return [getattr(wanted, name) is not None for name in FILTERS]


def _named(wanted: Filter) -> str:
    said = [f"{name}={getattr(wanted, name)}" for name in FILTERS if getattr(wanted, name) is not None]
    return " ".join(said) or "everything"


def _line(limit: int, name: str, taken: list[float]) -> str:
    return (
        f"limit {limit:3}  {name:60} median {statistics.median(taken):6.1f} ms  most {max(taken):6.1f} ms\n"
    )


if __name__ == "__main__":
    main()
