"""Growth with the length of a game: running games of growing length, each in a store of its own."""

import random
from collections.abc import Sequence

from service.storage.levels import Durability
from tests.benchmarks.growth.curves import Curve, Kind, curves_of
from tests.benchmarks.growth.measuring import command, first_look, rebuild, seek, validation
from tests.benchmarks.long_game import long_game
from tests.benchmarks.stores import measured_store, put

ALONG = "events in the game"
COMMANDS = 100
SOUGHT = 20
GAME = "long"


def by_events(sizes: Sequence[int]) -> list[Curve]:
    """The curves, at games of about these lengths.

    Raises:
        StoreError: the store does not start or does not take what it is given.
    """
    return curves_of(_CURVES, ALONG, sizes, [_figures(size) for size in sizes])


def _figures(size: int) -> dict[str, float]:
    chance = random.Random(size)
    with measured_store(Durability.MEMORY) as store:
        put(store, *long_game(size, to_its_end=False, game=GAME))
        return {
            "rebuild": 1000 * rebuild(store) / size,
            "validation": 1000 * validation(store, [GAME]) / size,
            "first-look": first_look(store, [GAME] * 3),
            "seek": seek(store, [GAME] * SOUGHT, chance),
            "command": command(store, [GAME] * COMMANDS, chance),
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
        "seek",
        "the table at an earlier version",
        "ms",
        "flat",
        "reading and folding the log from the nearest snapshot",
    ),
    Kind(
        "first-look",
        "the table in a process that does not know it",
        "ms",
        "linear",
        "reading and folding the whole log",
    ),
    Kind(
        "rebuild",
        "the list built anew, for each event",
        "µs",
        "flat",
        "decoding and folding what the feed names",
    ),
    Kind("validation", "a verdict, for each event", "µs", "flat", "the verifier's checks of each entry"),
)
