"""`python -m tests.benchmarks.decisions.servers`: what decision 0021 asks of servers; it needs `make peers`.

With names (`granian`) those alone are tried.
"""

import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

from tests.benchmarks.decisions.servers.running import SERVERS, Server, running
from tests.benchmarks.decisions.servers.trials import (
    BEGIN_SECONDS,
    HALF,
    STREAMS,
    answer_fast,
    answer_malformed,
    bear_slow_clients,
    hold_streams,
    lose_the_parent,
)

Found = TypeVar("Found")


def main() -> None:
    """Try each server with everything, and print a table in Markdown."""
    chosen = sys.argv[1:] or SERVERS
    columns = [dict(map(_tell, _try(name))) for name in chosen]
    sys.stdout.write(f"| | {' | '.join(chosen)} |\n|---|{'---|' * len(chosen)}\n")
    for row in columns[0]:
        sys.stdout.write(f"| {row} | {' | '.join(each[row] for each in columns)} |\n")


def _tell(row: tuple[str, str]) -> tuple[str, str]:
    """What was found, at once: the whole trial takes ten minutes."""
    sys.stderr.write(f"  {': '.join(row)}\n")
    return row


def _try(name: str) -> Iterator[tuple[str, str]]:
    """Each trial has a server of its own, since some of them end it."""
    sys.stderr.write(f"{name}\n")
    rate, p99 = _run(name, answer_fast)
    yield "requests/s", f"{rate:,.0f}"
    yield "p99", f"{p99:.1f} ms"
    begun, memory, stop = _run(name, hold_streams)
    yield f"of {STREAMS:,} streams, begun within {BEGIN_SECONDS:.0f} s", f"{begun:,}"
    yield "memory for each of them", f"{memory:.0f} KB"
    yield "from SIGTERM with them until all has ended", f"{stop:.1f} s"
    lost = _run(name, lose_the_parent)
    yield "from the end of the parent until its processes have ended", f"{lost:.1f} s"
    alone, beside, stay = _run(name, bear_slow_clients)
    yield "p99 beside slow clients, and without them", f"{beside:.1f} and {alone:.1f} ms"
    yield f"of {2 * HALF} requests half there, open after 40 s", str(stay)
    yield from _run(name, answer_malformed).items()


def _run(name: str, trial: Callable[[Server], Found]) -> Found:
    with running(name) as server:
        return trial(server)


if __name__ == "__main__":
    main()
