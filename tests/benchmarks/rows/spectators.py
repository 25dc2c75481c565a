"""How soon spectators see what happens: many streams on many games while commands go on."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.benchmarks.chosen import ChosenGame, chance_of, chosen_game, set_up
from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.own_service import OwnService, own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Played, played, use_in_words
from tests.benchmarks.watching.plan import Seen
from tests.benchmarks.watching.processes import Audience


@dataclass(frozen=True)
class Crowd:
    """How many watch what."""

    spectators: int = 1000
    games: int = 50
    rate: float = 200.0
    """Commands per second, over all games."""
    warm_up: float = 2.0
    seconds: float = 8.0


@dataclass(frozen=True)
class Spectators:
    """The row."""

    crowd: Crowd = Crowd()
    name: str = "spectators"
    about: str = "delivery to 1,000 spectators of 50 games with 200 commands per second, p99"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; each round has games and spectators of its own."""
        crowd, values, notes, used = self.crowd, [], [], ""
        with own_service() as service:
            for number in range(rounds):
                seen, run = _watched(service, crowd, number)
                taken = sorted(seen.milliseconds)
                values.append(taken[min(int(0.99 * len(taken)), len(taken) - 1)])
                notes.append(
                    f"{len(taken)} events delivered, {seen.lost} lost, doubled or out of order, {seen.behind} streams"
                    f" without the last version; median {taken[len(taken) // 2]:.0f} ms, p99 {values[-1]:.0f} ms, "
                    f"longest {taken[-1]:.0f} ms; {run.rate:.0f} commands/s acknowledged"
                )
                used = use_in_words(run)
                if seen.lost or seen.behind:
                    raise ValueError(f"Spectators did not see everything exactly once: {notes[-1]}")
        yield Comparison(
            name=self.name,
            ours=Figure(
                what=f"p99 of delivery to {crowd.spectators} spectators of {crowd.games} games, "
                f"{crowd.rate:.0f} commands/s",
                unit="ms",
                values=tuple(values),
            ),
            beside=None,
            goal=Goal(of="figure", at_most=250.0),
            command=f"fieldbook bench --only {self.name}",
            notes=(
                "from a command's arrival at the service to an event's arrival at a spectator",
                "every stream brought every version exactly once, in order, up to the last",
                *notes,
                used,
            ),
        )


def _watched(service: OwnService, crowd: Crowd, number: int) -> tuple[Seen, Played]:
    made = [set_up(service) for _ in range(crowd.games)]
    store = service.open_store()
    try:
        games = [
            chosen_game(store, each, chance_of(f"{number}/{place}"), service.port)
            for place, each in enumerate(made)
        ]
        following = [games[place % len(games)].game for place in range(crowd.spectators)]
        with Audience(service.port, following) as audience:
            run = played(
                service.port, (service.process,), _lanes(games), crowd.warm_up, crowd.seconds, rate=crowd.rate
            )
            heads = {game.game: store.head(game.game) for game in games}
            return audience.seen(
                {game: head.version for game, head in heads.items() if head is not None}
            ), run
    finally:
        store.close()


def _lanes(games: list[ChosenGame]) -> list[tuple[ChosenGame, ...]]:
    return [(game,) for game in games]
