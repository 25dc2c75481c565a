"""Growth with the length of a game: running games of growing length, each in a store of its own."""

import random
from collections.abc import Sequence

from benchmarks.growth.curves import Curve, Shape
from benchmarks.growth.measuring import command, first_look, rebuild, seek, validation
from benchmarks.long_game import long_game
from benchmarks.stores import measured_store, put
from service.durability import Durability

ALONG = "events in the game"
COMMANDS = 100
SOUGHT = 20
GAME = "long"


def by_events(sizes: Sequence[int]) -> list[Curve]:
    """The curves, at games of about these lengths.

    Raises:
        StoreError: the store does not start or does not take what it is given.
    """
    figures: dict[str, list[float]] = {name: [] for name, *_ in _CURVES}
    for size in sizes:
        for name, value in _figures(size).items():
            figures[name].append(value)
    return [
        Curve(
            name=name,
            what=what,
            along=ALONG,
            unit=unit,
            sizes=tuple(sizes),
            values=tuple(figures[name]),
            shape=shape,
            bottleneck=bottleneck,
        )
        for name, what, unit, shape, bottleneck in _CURVES
    ]


def _figures(size: int) -> dict[str, float]:
    chance = random.Random(size)  # noqa: S311 - games for measuring
    with measured_store(Durability.MEMORY) as store:
        put(store, *long_game(size, to_its_end=False, game=GAME))
        return {
            "rebuild": 1000 * rebuild(store) / size,
            "validation": 1000 * validation(store, [GAME]) / size,
            "first-look": first_look(store, [GAME] * 3),
            "seek": seek(store, [GAME] * SOUGHT, chance),
            "command": command(store, [GAME] * COMMANDS, chance),
        }


_CURVES: tuple[tuple[str, str, str, Shape, str], ...] = (
    (
        "command",
        "one command",
        "ms",
        "flat",
        "the append's function in the store, and one commitment to the table",
    ),
    (
        "seek",
        "the table at an earlier version",
        "ms",
        "flat",
        "reading and folding the log from the nearest snapshot",
    ),
    (
        "first-look",
        "the table in a process that does not know it",
        "ms",
        "linear",
        "reading and folding the whole log",
    ),
    (
        "rebuild",
        "the list built anew, for each event",
        "µs",
        "flat",
        "decoding and folding what the feed names",
    ),
    ("validation", "a verdict, for each event", "µs", "flat", "the verifier's checks of each entry"),
)
"""Name, what it is, its unit, what shape it should have, and where the time goes."""
