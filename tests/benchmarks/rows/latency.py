"""How long one command takes at half of what the service can do."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.own_service import own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Playing, Size, use_in_words
from tests.benchmarks.rows.http_commands import HOW_CHOSEN


@dataclass(frozen=True)
class Latency:
    """The row."""

    size: Size = field(default_factory=Size)
    name: str = "latency"
    about: str = "p99 of one command over HTTP at half of the highest rate"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; each round finds out the highest rate anew, and half of it is the load."""
        notes = []
        values = []
        used = ""
        with own_service() as service:
            playing = Playing(service, self.size)
            for _ in range(rounds):
                highest = playing.as_fast_as_answered()
                half = playing.at_rate(highest.rate / 2)
                used = use_in_words(half)
                values.append(half.milliseconds(0.99))
                notes.append(
                    f"{half.rate:.0f} commands/s of {highest.rate:.0f}: median {half.milliseconds(0.5):.1f} ms, p99 "
                    f"{values[-1]:.1f} ms, longest {max(half.found.milliseconds):.1f} ms"
                )
        yield Comparison(
            name=self.name,
            ours=Figure(
                what="p99 of one command at half of the highest rate", unit="ms", values=tuple(values)
            ),
            beside=None,
            goal=Goal(of="figure", at_most=20.0),
            command=f"python -m tests.benchmarks --only {self.name}",
            notes=(
                "each command is due at a moment of its own, and its time counts from there, sent or not",
                HOW_CHOSEN,
                *notes,
                f"at half of the highest rate, {used}",
            ),
        )
