"""Delivery of events to many streams on many games during commands."""

import random
from collections.abc import Iterator

from tests.benchmarks.chosen import chosen_games
from tests.benchmarks.figures import Comparison, Figure, Goal, Options, percentile
from tests.benchmarks.own_service import OwnService, own_service
from tests.benchmarks.playing import played
from tests.benchmarks.watching import audience

ABOUT = "delivery to 1,000 spectators of 50 games with 200 and 400 commands per second, p99"
_GOALS = {200.0: 250.0, 400.0: 100.0}
"""Milliseconds by commands per second."""


def run(options: Options) -> Iterator[Comparison]:
    """Measure with new games and spectators in each round."""
    spectators, games = options.size((1000, 50), (6, 2))
    for rate, at_most in _GOALS.items():
        sent = options.size(rate, 10.0)
        with own_service() as service:
            found = [_delivery(service, spectators, games, sent, options) for _ in range(options.rounds)]
        what = f"p99 of delivery to {spectators:,} spectators of {games} games, {sent:.0f} commands/s"
        yield Comparison(
            name=f"spectators/{rate:.0f}",
            ours=Figure(what=what, unit="ms", values=tuple(p99 for p99, _ in found)),
            goal=Goal(of="figure", at_most=at_most),
            notes=(
                "from a command's arrival at the service to an event's arrival at a spectator",
                "every stream brought every version exactly once, in order, up to the last",
                *(note for _, note in found),
            ),
        )


def _delivery(
    service: OwnService, spectators: int, games: int, rate: float, options: Options
) -> tuple[float, str]:
    """Measure one round: the p99 in milliseconds, and a note.

    Raises:
        ValueError: a spectator did not see everything exactly once.
    """
    chosen = chosen_games(service, games, random.randrange(10**9))
    warm_up, seconds = options.size((2.0, 8.0), (0.2, 1.0))
    with audience(service.port, [game.game for game in chosen], spectators) as watching:
        lanes = [(game,) for game in chosen]
        run = played(service.port, (service.process,), lanes, warm_up, seconds, rate=rate)
        with service.opened_store() as store:
            last = {game.game: head.version for game in chosen if (head := store.head(game.game)) is not None}
        seen = watching.read_report(last)
    taken = seen.milliseconds
    if seen.lost or seen.behind or not taken:
        raise ValueError(
            f"Spectators did not see everything exactly once: of {len(taken)} events {seen.lost} were lost, doubled"
            f" or out of order, and {seen.behind} streams lack the last version."
        )
    p99 = percentile(taken, 99)
    return p99, (
        f"{len(taken)} events delivered; median {percentile(taken, 50):.0f} ms, p99 {p99:.0f} ms, longest"
        f" {max(taken):.0f} ms; {run.rate:.0f} commands/s acknowledged; {run.in_words}"
    )
