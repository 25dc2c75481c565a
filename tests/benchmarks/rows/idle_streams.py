"""What ten thousand streams on which nothing happens cost the one web process that holds them, and everybody else."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.benchmarks.chosen import set_up
from tests.benchmarks.endurance.footprint import footprints
from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.own_service import OwnService, own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Playing, Size
from tests.benchmarks.processor import named
from tests.benchmarks.quiet import await_quiet
from tests.benchmarks.rows.http_commands import HOW_CHOSEN
from tests.benchmarks.watching.processes import Audience


@dataclass(frozen=True)
class Silence:
    """How many watch what, while nothing happens there."""

    streams: int = 10_000
    games: int = 50
    rate: float = 100.0
    """Commands per second in other games."""


@dataclass(frozen=True)
class IdleStreams:
    """The rows."""

    silence: Silence = Silence()
    size: Size = field(default_factory=Size)
    name: str = "idle-streams"
    about: str = "memory of one web process with 10,000 idle event streams, and p99 of commands beside them"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; each round opens all streams anew, after a run without them."""
        silence, size = self.silence, self.size
        before, megabytes, busy, alone, among = [], [], [], [], []
        with own_service(WEB_PROCESSES="1") as service:
            playing = Playing(service, size)
            games = [set_up(service).game for _ in range(silence.games)]
            following = [games[place % len(games)] for place in range(silence.streams)]
            for _ in range(rounds):
                await_quiet((service.process,))
                before.append(_megabytes_of_web(service))
                alone.append(playing.at_rate(silence.rate).milliseconds(0.99))
                with Audience(service.port, following):
                    # Each stream that is opened is told to the others of its game.
                    busy.append(await_quiet((service.process,)))
                    among.append(playing.at_rate(silence.rate).milliseconds(0.99))
                    megabytes.append(_megabytes_of_web(service))
        command = f"python -m tests.benchmarks --only {self.name}"
        streams = f"{silence.streams:,} idle event streams"
        yield Comparison(
            name=f"{self.name}/memory",
            ours=Figure(what=f"one web process with {streams}", unit="MiB", values=tuple(megabytes)),
            beside=None,
            goal=Goal(of="figure", at_most=300.0),
            command=command,
            notes=(
                "proportional set size of the process that holds the streams and of the one that watches over it",
                f"before the streams it was {', '.join(f'{each:.0f}' for each in before)} MiB",
                f"the streams alone keep {', '.join(f'{each:.2f}' for each in busy)} processors busy",
            ),
        )
        what = f"p99 of one command at {silence.rate:.0f} commands/s, {size.games} games, one web process"
        yield Comparison(
            name=f"{self.name}/commands",
            ours=Figure(what=f"{what}, beside {streams}", unit="ms", values=tuple(among)),
            beside=Figure(what=f"{what}, without streams", unit="ms", values=tuple(alone)),
            goal=Goal(at_most=1.5),
            command=command,
            notes=("the streams follow other games, on which nothing happens", HOW_CHOSEN),
        )


def _megabytes_of_web(service: OwnService) -> float:
    """Memory of the processes of the HTTP interface.

    Raises:
        ValueError: it is not known on this system.
    """
    found = footprints(("web", process) for process in named("web", service.process))
    if "web" not in found:
        raise ValueError(
            "What a process holds in memory is read from /proc, which this system does not have."
        )
    return found["web"].megabytes
