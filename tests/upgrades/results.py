"""What a rehearsal says of itself."""

from collections import Counter
from collections.abc import Iterator

from rich.table import Table

from tests.upgrades.rehearsal import Rehearsed, Step

USUAL = {"200", "201", "refused"}
"""Answers that say nothing about an upgrade."""


def steps_table(found: Rehearsed) -> Table:
    """A line for each process that was exchanged."""
    table = Table(
        "phase", "process", "now", "ready s", "all go on s", "acknowledged", "what else clients got"
    )
    for step in found.steps:
        table.add_row(
            step.phase,
            str(step.place),
            step.to,
            f"{step.ready:.1f}",
            f"{step.going_on:.1f}",
            str(step.tally.acknowledged),
            ", ".join(f"{count} {kind}" for kind, count in unusual(step).items()),
        )
    return table


def unusual(step: Step) -> Counter[str]:
    """How often an attempt did not succeed, by what came instead."""
    return Counter({kind: count for kind, count in sorted(step.tally.answers.items()) if kind not in USUAL})


def sentences(found: Rehearsed) -> Iterator[str]:
    """The rest, a line each."""
    tally, aftermath, systems = found.tally, found.aftermath, found.records.systems
    yield (
        f"{tally.acknowledged} commands acknowledged, {tally.replayed} of them known again when they were repeated; "
        f"{aftermath.games} games with {aftermath.events} events, {aftermath.finished} finished and found valid"
    )
    events = max(1, aftermath.events)
    yield f"the store's files have {found.store_file_bytes / events:.0f} bytes an event"
    each = ", ".join(f"{name} {count}" for name, count in sorted(systems.items()))
    yield f"records that both verifiers accept: {systems.total()} ({each})"
    yield f"{len(found.findings)} findings, {found.seconds:.0f} s"
