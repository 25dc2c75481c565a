"""How long somebody waits for the whole service, beside an earlier release."""

import time
from collections.abc import Iterator

from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.own_service import own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.release import OURS, Release
from tests.benchmarks.rows.earlier.both import command_beside
from tests.benchmarks.rows.starting import compiled


class EarlierStarting:
    """The row: seconds on the clock, on an empty data folder."""

    name = "earlier-start"
    about = "start of everything until it is ready, beside an earlier release (--beside)"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:
        """Measure; one release is gone before the other one is started."""
        earlier = peers.earlier_release()
        what = "fieldbook up, until /readyz answers and the first key is there"
        with compiled():
            yield compared(
                self.name,
                "s",
                goal=Goal(at_most=0.7),
                ours=Side(what, lambda: seconds_until_ready(OURS)),
                beside=Side(f"{earlier.name}: {what}", lambda: seconds_until_ready(earlier)),
                rounds=rounds,
                notes=("asked twenty times a second whether it is ready",),
                command=command_beside(self.name, peers),
            )


def seconds_until_ready(release: Release) -> float:
    """Seconds until a fresh installation of a release is ready; it is stopped and thrown away afterwards.

    Raises:
        ServiceFailed: it does not become ready.
    """
    began = time.perf_counter()
    with own_service(release):
        return time.perf_counter() - began
