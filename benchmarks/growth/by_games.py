"""Growth with the number of games: a store that fills up with games that have just begun."""

import random
from collections.abc import Sequence

from benchmarks.growth.curves import Curve
from benchmarks.growth.measuring import command, milliseconds, rebuild, seek, validation
from benchmarks.random_play import begun_table
from benchmarks.stores import measured_store, put
from events.redis_store import RedisEventStore
from service.durability import Durability
from service.read_models import Filter, GameList

ALONG = "games in the store"
SYSTEM, PLAYERS = "classic", 3
TRIES = 100
PAGE = 50
"""Games on a page of the list."""


def by_games(sizes: Sequence[int]) -> list[Curve]:
    """The curves, at these numbers of games.

    Raises:
        StoreError: the store does not start or does not take what it is given.
    """
    figures: dict[str, list[float]] = {name: [] for name, *_ in _CURVES}
    with measured_store(Durability.MEMORY) as store:
        stored = 0
        for size in sizes:
            for number in range(stored, size):
                put(store, *begun_table(_id(number), SYSTEM, PLAYERS))
            stored = size
            for name, value in _figures(store, size).items():
                figures[name].append(value)
    return [
        Curve(
            name=name,
            what=what,
            along=ALONG,
            unit=unit,
            sizes=tuple(sizes),
            values=tuple(figures[name]),
            shape="flat",
            bottleneck=bottleneck,
        )
        for name, what, unit, bottleneck in _CURVES
    ]


def _id(number: int) -> str:
    return f"growth-{number}"


def _figures(store: RedisEventStore, size: int) -> dict[str, float]:
    chance = random.Random(size)  # noqa: S311 - games for measuring
    games = [_id(chance.randrange(size)) for _ in range(TRIES)]
    rebuilt = 1000 * rebuild(store) / size
    listed = GameList(store)
    pages = sorted(milliseconds(lambda: listed.page(Filter(), PAGE, None)) for _ in range(TRIES))
    filtered = sorted(
        milliseconds(lambda: listed.page(Filter(system=SYSTEM, status="running"), PAGE, None))
        for _ in range(TRIES)
    )
    return {
        "command": command(store, games, chance),
        "list": pages[TRIES // 2],
        "filtered-list": filtered[TRIES // 2],
        "seek": seek(store, games, chance),
        "rebuild": rebuilt,
        "validation": validation(store, games[: TRIES // 5]),
    }


_CURVES = (
    ("command", "one command", "ms", "the append's function in the store, and one commitment to the table"),
    ("list", f"a page of {PAGE} games", "ms", "reading the summaries of the page from all partitions"),
    ("filtered-list", f"a page of {PAGE} of those that run", "ms", "the same, from the index of each filter"),
    (
        "seek",
        "the table at an earlier version",
        "ms",
        "reading and folding the log from the nearest snapshot",
    ),
    ("rebuild", "the list built anew, for each game", "µs", "decoding and folding what the feed names"),
    ("validation", "a verdict on one game", "ms", "the verifier's checks of each entry"),
)
"""Name, what it is, its unit, and where the time goes."""
