"""How soon spectators see what happens: many streams on many games while commands go on."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.chosen import ChosenGame, chance_of, chosen_game, set_up
from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.own_service import OwnService, own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Played, played, use_in_words
from tests.benchmarks.watching.plan import Seen
from tests.benchmarks.watching.processes import Audience

FROM_WHEN: Final = "from a command's arrival at the service to an event's arrival at a spectator"
EXACTLY_ONCE: Final = "every stream brought every version exactly once, in order, up to the last"


@dataclass(frozen=True)
class Crowd:
    """How many watch what."""

    spectators: int = 1000
    games: int = 50
    rate: float = 200.0
    """Commands per second, over all games."""
    warm_up: float = 2.0
    seconds: float = 8.0
    at_most: float = 250.0
    """Milliseconds that are wanted."""

    @property
    def in_words(self) -> str:
        """What is measured of it."""
        return f"p99 of delivery to {self.spectators} spectators of {self.games} games, {self.rate:.0f} commands/s"


@dataclass(frozen=True)
class Spectators:
    """The rows."""

    crowds: tuple[Crowd, ...] = (Crowd(), Crowd(rate=400.0, at_most=100.0))
    name: str = "spectators"
    about: str = "delivery to 1,000 spectators of 50 games with 200 and 400 commands per second, p99"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; each round has games and spectators of its own."""
        for crowd in self.crowds:
            with own_service() as service:
                found = [delivery(service, crowd, number) for number in range(rounds)]
            yield Comparison(
                name=f"{self.name}/{crowd.rate:.0f}",
                ours=Figure(what=crowd.in_words, unit="ms", values=tuple(each.p99 for each in found)),
                beside=None,
                goal=Goal(of="figure", at_most=crowd.at_most),
                command=f"python -m tests.benchmarks --only {self.name}",
                notes=(FROM_WHEN, EXACTLY_ONCE, *(each.in_words for each in found), found[-1].used),
            )


@dataclass(frozen=True)
class Delivery:
    """What one round found."""

    p99: float
    """In milliseconds."""
    in_words: str
    used: str


def delivery(service: OwnService, crowd: Crowd, number: int) -> Delivery:
    """One round with games and spectators of its own, which differ from number to number.

    Raises:
        ValueError: a spectator did not see everything exactly once.
    """
    seen, run = _watched(service, crowd, number)
    taken = sorted(seen.milliseconds)
    p99 = taken[min(int(0.99 * len(taken)), len(taken) - 1)]
    in_words = (
        f"{len(taken)} events delivered, {seen.lost} lost, doubled or out of order, {seen.behind} streams"
        f" without the last version; median {taken[len(taken) // 2]:.0f} ms, p99 {p99:.0f} ms, "
        f"longest {taken[-1]:.0f} ms; {run.rate:.0f} commands/s acknowledged"
    )
    if seen.lost or seen.behind:
        raise ValueError(f"Spectators did not see everything exactly once: {in_words}")
    return Delivery(p99, in_words, use_in_words(run))


def _watched(service: OwnService, crowd: Crowd, number: int) -> tuple[Seen, Played]:
    made = [set_up(service) for _ in range(crowd.games)]
    with closing(service.stored_games()) as stored:
        games = [
            chosen_game(stored, each, chance_of(f"{number}/{place}"), service.port)
            for place, each in enumerate(made)
        ]
        following = [games[place % len(games)].game for place in range(crowd.spectators)]
        with Audience(service.port, following) as audience:
            run = played(
                service.port, (service.process,), _lanes(games), crowd.warm_up, crowd.seconds, rate=crowd.rate
            )
            return audience.seen({game.game: stored.version(game.game) for game in games}), run


def _lanes(games: list[ChosenGame]) -> list[tuple[ChosenGame, ...]]:
    return [(game,) for game in games]
