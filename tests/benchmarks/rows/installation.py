"""Memory of a whole installation that is idle: all processes of `fieldbook up`, the embedded store included."""

from collections.abc import Iterator

from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared
from tests.benchmarks.own_service import own_service
from tests.benchmarks.processor import await_quiet, below, megabytes

ABOUT = "memory of an idle installation, all processes and the embedded store"


def run(options: Options) -> Iterator[Comparison]:
    """Measure a fresh installation in each round, once it is idle."""
    processes = set[int]()

    def measure() -> float:
        with own_service() as service:
            await_quiet((service.process,))
            processes.add(len([*below(service.process)]))
            return megabytes(service.process)

    row = compared(
        "installation",
        "MiB",
        goal=Goal(of="figure", at_most=500.0),
        ours=Side("an idle installation, all processes", measure),
        rounds=options.rounds,
    )
    counted = ", ".join(map(str, sorted(processes)))
    note = f"proportional set size of {counted} processes, the embedded store and `fieldbook up` among them"
    yield Comparison(name=row.name, ours=row.ours, goal=row.goal, notes=(note,))
