"""Growth with the number of games: a store that fills up with games that have just begun."""

import random
from collections.abc import Sequence

from events.store.redis.redis_store import RedisEventStore
from service.projections.game_list import GameList
from service.projections.listed_games import Filter
from service.storage.levels import Durability
from tests.benchmarks.growth.curves import Curve, Kind, curves_of
from tests.benchmarks.growth.measuring import command, milliseconds, rebuild, seek, validation
from tests.benchmarks.random_play import begun_table
from tests.benchmarks.stores import measured_store, put

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
    found = []
    with measured_store(Durability.MEMORY) as store:
        stored = 0
        for size in sizes:
            for number in range(stored, size):
                put(store, *begun_table(_id(number), SYSTEM, PLAYERS))
            stored = size
            found.append(_figures(store, size))
    return curves_of(_CURVES, ALONG, sizes, found)


def _id(number: int) -> str:
    return f"growth-{number}"


def _figures(store: RedisEventStore, size: int) -> dict[str, float]:
    chance = random.Random(size)
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
    Kind(
        "command",
        "one command",
        "ms",
        "flat",
        "the append's function in the store, and one commitment to the table",
    ),
    Kind(
        "list",
        f"a page of {PAGE} games",
        "ms",
        "flat",
        "reading the summaries of the page from all partitions",
    ),
    Kind(
        "filtered-list",
        f"a page of {PAGE} of those that run",
        "ms",
        "flat",
        "the same, from the index of each filter",
    ),
    Kind(
        "seek",
        "the table at an earlier version",
        "ms",
        "flat",
        "reading and folding the log from the nearest snapshot",
    ),
    Kind(
        "rebuild",
        "the list built anew, for each game",
        "µs",
        "flat",
        "decoding and folding what the feed names",
    ),
    Kind("validation", "a verdict on one game", "ms", "flat", "the verifier's checks of each entry"),
)
