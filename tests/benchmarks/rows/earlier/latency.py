"""How long one command takes at half of what an earlier release can do, here and there."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Playing, Size
from tests.benchmarks.rows.earlier.both import HOW, both_releases, command_beside
from tests.benchmarks.rows.http_commands import HOW_CHOSEN


@dataclass(frozen=True)
class EarlierLatency:
    """The row."""

    size: Size = field(default_factory=Size)
    name: str = "earlier-latency"
    about: str = "p99 of one command at half of an earlier release's highest rate, beside it (--beside)"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:
        """Measure; each round finds out the earlier release's highest rate anew, and half of it is the load."""
        mine, others, notes = [], [], []
        with both_releases(peers) as both:
            ours, theirs = Playing(both.ours, self.size), Playing(both.theirs, self.size)
            for _ in range(rounds):
                both.await_quiet()
                rate = theirs.as_fast_as_answered().rate / 2
                both.await_quiet()
                here = ours.at_rate(rate)
                both.await_quiet()
                there = theirs.at_rate(rate)
                mine.append(here.milliseconds(0.99))
                others.append(there.milliseconds(0.99))
                notes.append(
                    f"at {rate:.0f} commands/s the medians were {here.milliseconds(0.5):.1f} and"
                    f" {there.milliseconds(0.5):.1f} ms, the longest {max(here.found.milliseconds):.1f} and"
                    f" {max(there.found.milliseconds):.1f} ms"
                )
            name = both.theirs.release.name
        what = "p99 of one command at half of the earlier release's highest rate"
        yield Comparison(
            name=self.name,
            ours=Figure(what=what, unit="ms", values=tuple(mine)),
            beside=Figure(what=f"{name}: the same at the same rate", unit="ms", values=tuple(others)),
            goal=Goal(at_most=0.4),
            command=command_beside(self.name, peers),
            notes=(
                HOW,
                "each command is due at a moment of its own, and its time counts from there, sent or not",
                HOW_CHOSEN,
                *notes,
            ),
        )
