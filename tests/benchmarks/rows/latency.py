"""The time of one command at half of the highest rate."""

from collections.abc import Iterator

from tests.benchmarks.figures import Comparison, Figure, Goal, Options
from tests.benchmarks.own_service import own_service
from tests.benchmarks.playing import HOW_CHOSEN, SMALLEST, Playing, Size

ABOUT = "p99 of one command over HTTP at half of the highest rate"


def run(options: Options) -> Iterator[Comparison]:
    """Find the highest rate in each round, and load the service with half of it."""
    notes, values = [], []
    with own_service() as service:
        playing = Playing(service, options.size(Size(), SMALLEST))
        for _ in range(options.rounds):
            highest = playing.as_fast_as_answered()
            half = playing.at_rate(highest.rate / 2)
            values.append(half.p(99))
            notes.append(
                f"{half.rate:.0f} commands/s of {highest.rate:.0f}: median {half.p(50):.1f} ms, p99 {half.p(99):.1f}"
                f" ms, longest {half.p(100):.1f} ms; {half.in_words}"
            )
    yield Comparison(
        name="latency",
        ours=Figure(what="p99 of one command at half of the highest rate", unit="ms", values=tuple(values)),
        goal=Goal(of="figure", at_most=20.0),
        notes=(
            "commands are due at fixed times, and their times count from there, sent or not",
            HOW_CHOSEN,
            *notes,
        ),
    )
