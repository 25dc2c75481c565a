"""How soon spectators see what happens, beside an earlier release."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.own_service import OwnService
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.rows.earlier.both import HOW, both_releases, command_beside
from tests.benchmarks.rows.spectators import EXACTLY_ONCE, FROM_WHEN, Crowd, delivery


@dataclass(frozen=True)
class EarlierSpectators:
    """The row."""

    crowd: Crowd = field(default_factory=Crowd)
    name: str = "earlier-spectators"
    about: str = "delivery to 1,000 spectators of 50 games, p99, beside an earlier release (--beside)"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:
        """Measure; each round has games and spectators of its own."""
        notes: list[str] = []
        numbers = count()
        with both_releases(peers) as both:

            def delivered(service: OwnService) -> float:
                both.await_quiet()
                found = delivery(service, self.crowd, next(numbers))
                notes.append(f"{service.release.name}: {found.in_words}")
                return found.p99

            what, name = self.crowd.in_words, both.theirs.release.name
            row = compared(
                self.name,
                "ms",
                goal=Goal(at_most=0.5),
                ours=Side(what, lambda: delivered(both.ours)),
                beside=Side(f"{name}: {what}", lambda: delivered(both.theirs)),
                rounds=rounds,
                notes=(HOW, FROM_WHEN, EXACTLY_ONCE),
                command=command_beside(self.name, peers),
            )
        # The first of each side did not count.
        yield row.with_notes(*notes[2:])
