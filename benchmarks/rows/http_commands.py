"""Commands per second over HTTP, beside the same server, route and append without rules."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.figures import Comparison, Figure, Goal
from benchmarks.own_floor import own_floor
from benchmarks.own_service import own_service
from benchmarks.peers.installed import Peers
from benchmarks.playing import Played, Playing, Size, use_in_words

NAME = "http-commands"
WHAT = "commands over HTTP, {games} games at once, level fsync"
HOW_CHOSEN = (
    "every command was chosen before it was sent, by playing the game with its secret, read from the store of the "
    "benchmark's own service; a connection for each seat, an Idempotency-Key with each command"
)

WHAT_FLOOR = (
    "the floor: gunicorn with our worker, as many processes and threads, Flask, the request's JSON, the token looked "
    "up in the store, one append of real events, an answer of the same kind"
)


@dataclass(frozen=True)
class HttpCommands:
    """The row."""

    size: Size = field(default_factory=Size)
    name: str = NAME
    about: str = "commands per second over HTTP, beside the same server and append without rules"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure."""
        with own_service() as service:
            playing = Playing(service, self.size)
            with own_floor(service, self.size) as floor:
                ours, floors = [], []
                for _ in range(rounds):
                    ours.append(playing.as_fast_as_answered())
                    floors.append(floor.played())
        yield Comparison(
            name=self.name,
            ours=rates(ours, self.size),
            beside=Figure(
                what="the floor: the same server, route and append without rules",
                unit="commands/s",
                values=tuple(run.rate for run in floors),
            ),
            goal=Goal(at_least=0.7),
            command=f"fieldbook bench --only {self.name}",
            notes=(
                HOW_CHOSEN,
                WHAT_FLOOR,
                "beside ours run projector, worker, bots and webhooks, as after `make run`; nothing beside the floor",
                f"ours, {use_in_words(ours[-1])}",
                f"the floor, {use_in_words(floors[-1])}",
            ),
        )


def rates(runs: list[Played], size: Size) -> Figure:
    """Our figure."""
    return Figure(
        what=WHAT.format(games=size.games), unit="commands/s", values=tuple(run.rate for run in runs)
    )
