"""Growth with the number of games and with the length of a game: `python -m tests.benchmarks.studies.growth`.

Curves at growing sizes, on an embedded store without HTTP, as tables and as pictures. At 100,000 it takes about a
quarter of an hour, and two gigabytes of memory for the store.
"""

import random
import time
from collections.abc import Mapping, Sequence
from functools import partial
from math import log10
from pathlib import Path
from statistics import median
from typing import Literal, NamedTuple

import click

from events.commands import Say
from events.game.record import header_for
from events.log.disclosure import ALL, form_for
from events.store.redis.redis_store import RedisEventStore
from replay.timeline.timeline import read_timeline
from service.jobs.jobs import validation_report
from service.play.command_handling import CommandHandling
from service.play.deciding import Request
from service.play.tables import Tables
from service.projections.game_list import GameList
from service.projections.listed_games import Filter
from service.projections.rebuilding import Rebuild
from service.storage.levels import Durability
from tests.benchmarks.figures import milliseconds
from tests.benchmarks.games import long_game, start_table
from tests.benchmarks.own_service import own_store, put
from tests.benchmarks.pictures import draw_curves

SMALLEST, LARGEST = 100, 100_000
SHAPES = {"flat": 0.2, "linear": 1.1}
"""The largest power of the size for each shape: flat is at most 1.6 times for ten times the size."""
SYSTEM, PLAYERS = "classic", 3
TRIES = 100
SOUGHT = 20
PAGE = 50
"""Games on a page of the list."""
AT = 10**9
"""The time of the commands: milliseconds since the epoch, after everything that was played."""
LONG = "long"


class Kind(NamedTuple):
    """A curve: what it measures, its unit, the shape that it should have, and where the time goes."""

    what: str
    unit: str
    shape: Literal["flat", "linear"]
    bottleneck: str


_COMMAND = Kind(
    "one command", "ms", "flat", "the append's function in the store, and one commitment to the table"
)
_SEEK = Kind(
    "the table at an earlier version", "ms", "flat", "reading and folding the log from the nearest snapshot"
)
_REBUILD = "decoding and folding what the feed names"
_CHECKS = "the verifier's checks of each entry"
BY_GAMES = {
    "command": _COMMAND,
    "list": Kind(
        f"a page of {PAGE} games", "ms", "flat", "reading the summaries of the page from all partitions"
    ),
    "filtered-list": Kind(
        f"a page of {PAGE} of those that run", "ms", "flat", "the same, from the index of each filter"
    ),
    "seek": _SEEK,
    "rebuild": Kind("the list rebuilt, for each game", "µs", "flat", _REBUILD),
    "validation": Kind("a verdict on one game", "ms", "flat", _CHECKS),
}
BY_EVENTS = {
    "command": _COMMAND,
    "seek": _SEEK,
    "first-look": Kind(
        "the table in a process that does not know it", "ms", "linear", "reading and folding the whole log"
    ),
    "replay-tools": Kind(
        "the table at a version, replay tools", "ms", "flat", "folding from the nearest snapshot"
    ),
    "rebuild": Kind("the list rebuilt, for each event", "µs", "flat", _REBUILD),
    "validation": Kind("a verdict, for each event", "µs", "flat", _CHECKS),
}
Found = Mapping[int, Mapping[str, float]]
"""Figures by size and by curve."""


@click.command()
@click.option(
    "--most",
    type=click.IntRange(SMALLEST, LARGEST),
    default=LARGEST,
    show_default=True,
    help="The largest size: games, and events of one game. The others are each a tenth of the next.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/performance"),
    show_default=True,
    help="Where games.svg and events.svg go.",
)
def growth(most: int, folder: Path) -> None:
    """Measure how Fieldbook grows with the number of games and with the length of one."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [most]
    while len(sizes) == 1 or sizes[0] >= SMALLEST * 10:
        sizes.insert(0, sizes[0] // 10)
    for name, along, kinds, measure in (
        ("events", "events in the game", BY_EVENTS, by_events),
        ("games", "games in the store", BY_GAMES, by_games),
    ):
        found = measure(sizes)
        click.echo(as_markdown(along, kinds, found))
        curves = {
            f"{kind.what} ({kind.unit})": [(size, found[size][key]) for size in sizes]
            for key, kind in kinds.items()
        }
        draw_curves(folder / f"{name}.svg", along, curves, logarithmic=True)


def power(found: Found, name: str) -> float:
    """Return the growth of a curve over the last decade as a power of the size: 0 is flat, 1 is linear."""
    before, last = [*found][-2:]
    return log10(found[last][name] / found[before][name]) / log10(last / before)


def as_markdown(along: str, kinds: Mapping[str, Kind], found: Found) -> str:
    """Return curves as a table: a row each, a column for each size."""
    head = [f"by {along}", *(f"{size:,}" for size in found), "grows with", "should be", "what it is made of"]
    rows = [head, ["---"] * len(head)]
    for name, kind in kinds.items():
        values = (f"{figures[name]:,.3g} {kind.unit}" for figures in found.values())
        grows = power(found, name)
        said = kind.shape if grows <= SHAPES[kind.shape] else f"{kind.shape}, **is not**"
        rows.append([kind.what, *values, f"size^{max(0.0, grows):.2f}", said, kind.bottleneck])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def by_events(sizes: Sequence[int]) -> Found:
    """Measure running games of about these lengths, each in a new store."""
    return {size: _by_events(size) for size in sizes}


def _by_events(size: int) -> dict[str, float]:
    chance = random.Random(size)
    with own_store(Durability.MEMORY) as (store, _):
        table, log = long_game(size, to_its_end=False, game=LONG)
        put(store, table, log)
        forms = (form_for(entry, table.key, ALL) for entry in log)
        timeline = read_timeline(header_for(table, ALL), forms, ALL)
        return {
            "rebuild": 1000 * _rebuild(store) / size,
            "validation": 1000 * _validation(store, [LONG]) / size,
            "first-look": median(milliseconds(partial(Tables(store).newest, LONG)) for _ in range(3)),
            "seek": _seek(store, [LONG] * SOUGHT, chance),
            "replay-tools": median(
                milliseconds(partial(timeline.at, chance.randint(1, timeline.last)), time.process_time)
                for _ in range(SOUGHT)
            ),
            "command": _command(store, [LONG] * TRIES, chance),
        }


def by_games(sizes: Sequence[int]) -> Found:
    """Measure a store that fills up with games that have just begun."""
    found, stored = {}, 0
    with own_store(Durability.MEMORY) as (store, _):
        for size in sizes:
            for number in range(stored, size):
                put(store, *start_table(f"growth-{number}", SYSTEM, PLAYERS))
            stored = size
            found[size] = _by_games(store, size)
    return found


def _by_games(store: RedisEventStore, size: int) -> dict[str, float]:
    chance = random.Random(size)
    games = [f"growth-{chance.randrange(size)}" for _ in range(TRIES)]
    rebuilt, listed = 1000 * _rebuild(store) / size, GameList(store)
    running = Filter(system=SYSTEM, status="running")
    return {
        "list": median(milliseconds(partial(listed.page, Filter(), PAGE, None)) for _ in range(TRIES)),
        "filtered-list": median(
            milliseconds(partial(listed.page, running, PAGE, None)) for _ in range(TRIES)
        ),
        "command": _command(store, games, chance),
        "seek": _seek(store, games, chance),
        "rebuild": rebuilt,
        "validation": _validation(store, games[: TRIES // 5]),
    }


def _command(store: RedisEventStore, games: Sequence[str], chance: random.Random) -> float:
    """Return the median of the command that changes least, to games that the process knows."""
    tables = Tables(store)
    handling, taken = CommandHandling(store, tables), []
    for game in games:
        tables.newest(game)
        request = Request(0, (Say("Hm."),), AT, f"growth-{chance.getrandbits(64):x}", "growth")
        taken.append(milliseconds(partial(handling.send, game, request)))
    return median(taken)


def _seek(store: RedisEventStore, games: Sequence[str], chance: random.Random) -> float:
    tables, taken = Tables(store), []
    for game in games:
        loaded = tables.newest(game)
        taken.append(milliseconds(partial(tables.at, loaded, chance.randint(1, loaded.table.version))))
    return median(taken)


def _validation(store: RedisEventStore, games: Sequence[str]) -> float:
    taken = []
    for game in games:
        began = time.perf_counter()
        report = validation_report(store, game, AT)
        taken.append(1000 * (time.perf_counter() - began))
        if not report["ok"]:
            raise ValueError(f"{game} does not verify: {report['findings']}")
    return median(taken)


def _rebuild(store: RedisEventStore) -> float:
    run = Rebuild(store)

    def build() -> None:
        run.build(lambda _done, _total: None)
        run.check()
        run.switch()

    return milliseconds(build)


if __name__ == "__main__":
    growth()
