"""Commands per second over HTTP, beside an earlier release."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Played, Playing, Size, use_in_words
from tests.benchmarks.rows.earlier.both import HOW, both_releases, command_beside
from tests.benchmarks.rows.http_commands import HOW_CHOSEN, WHAT


@dataclass(frozen=True)
class EarlierCommands:
    """The rows: one for each size, with the ratio that is its goal."""

    sizes: tuple[tuple[Size, float], ...] = ((Size(games=16), 2.2), (Size(games=64), 3.0))
    name: str = "earlier-commands"
    about: str = "commands per second over HTTP, beside an earlier release (--beside)"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:
        """Measure."""
        for size, goal in self.sizes:
            yield self._row(size, goal, rounds, peers)

    def _row(self, size: Size, goal: float, rounds: int, peers: Peers) -> Comparison:
        runs: dict[str, Played] = {}
        with both_releases(peers) as both:

            def rate(side: str, playing: Playing) -> float:
                both.await_quiet()
                runs[side] = playing.as_fast_as_answered()
                return runs[side].rate

            ours, theirs = Playing(both.ours, size), Playing(both.theirs, size)
            what, name = WHAT.format(games=size.games), both.theirs.release.name
            row = compared(
                f"{self.name}/{size.games}",
                "commands/s",
                goal=Goal(at_least=goal),
                ours=Side(what, lambda: rate("ours", ours)),
                beside=Side(f"{name}: {what}", lambda: rate("theirs", theirs)),
                rounds=rounds,
                notes=(HOW, HOW_CHOSEN),
                command=command_beside(self.name, peers),
            )
        return row.with_notes(
            f"ours, {use_in_words(runs['ours'])}", f"{name}, {use_in_words(runs['theirs'])}"
        )
