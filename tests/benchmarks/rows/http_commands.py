"""Commands per second over HTTP, beside the same server, route and append without rules."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.floor import Kind
from tests.benchmarks.own_floor import own_floor
from tests.benchmarks.own_service import own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Played, Playing, Size, use_in_words

NAME = "http-commands"
WHAT = "commands over HTTP, {games} games at once, level fsync"
HOW_CHOSEN = (
    "every command was chosen before it was sent, by playing the game with its secret, read from the store of the "
    "benchmark's own service; a connection for each seat, an Idempotency-Key with each command"
)

WHOLE = (
    "the floor: our own application with its limits, metrics, headers, log and proof of the token, and one append of "
    "real events in place of rules, commitments and chain"
)
BARE = (
    "the bare floor: our server with as many processes, the request's JSON, the token proved by the "
    "append, which has real events, an answer of the same kind, and nothing else"
)
FLOORS: Final[dict[Kind, tuple[str, str, str]]] = {
    "whole": (NAME, "the floor: the same server, route and append without rules", WHOLE),
    "bare": (f"{NAME}/bare", "the bare floor: a server, a route and an append", BARE),
}
"""Of each kind of floor the name of its row, and what it is, in a few words and in more."""


@dataclass(frozen=True)
class HttpCommands:
    """The rows."""

    size: Size = field(default_factory=Size)
    name: str = NAME
    about: str = "commands per second over HTTP, beside the same server and append without rules"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure."""
        with own_service() as service, ExitStack() as stack:
            playing = Playing(service, self.size)
            floors = {kind: stack.enter_context(own_floor(service, self.size, kind)) for kind in FLOORS}
            ours: list[Played] = []
            beside: dict[Kind, list[Played]] = {kind: [] for kind in FLOORS}
            for _ in range(rounds):
                ours.append(playing.as_fast_as_answered())
                for kind, floor in floors.items():
                    beside[kind].append(floor.played())
        for kind, (name, what, more) in FLOORS.items():
            yield Comparison(
                name=name,
                ours=rates(ours, self.size),
                beside=Figure(what=what, unit="commands/s", values=tuple(run.rate for run in beside[kind])),
                goal=Goal(at_least=0.6),
                command=f"python -m tests.benchmarks --only {self.name}",
                notes=(
                    HOW_CHOSEN,
                    more,
                    "beside ours run projector, worker, bots and webhooks, as by `make run`; beside a floor nothing",
                    f"ours, {use_in_words(ours[-1])}",
                    f"the floor, {use_in_words(beside[kind][-1])}",
                ),
            )


def rates(runs: list[Played], size: Size) -> Figure:
    """Our figure."""
    return Figure(
        what=WHAT.format(games=size.games), unit="commands/s", values=tuple(run.rate for run in runs)
    )
