"""The table of a campaign, and the same as JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table

from tests.faults.campaign import Outcome

USUAL = {"200", "201", "refused"}
"""Answers that say nothing about a fault."""


def results_table(outcomes: Sequence[Outcome]) -> Table:
    """A line for each fault."""
    table = Table("fault", "what happened")
    for heading in (
        "rounds",
        "clients",
        "acknow-\nledged",
        "tried\nagain",
        "known\nagain",
        "games",
        "finished",
        "events",
        "longest\nanswer s",
        "longest\nrecovery s",
        "took s",
        "findings",
    ):
        table.add_column(heading, justify="right")
    for each in outcomes:
        numbers = (
            each.rounds,
            each.clients,
            each.tally.acknowledged,
            sum(failures(each).values()),
            each.tally.replayed,
            each.aftermath.games,
            each.aftermath.finished,
            each.aftermath.events,
            f"{each.answer:.1f}",
            f"{each.recovery:.1f}",
            f"{each.seconds:.0f}",
            len(each.findings),
        )
        table.add_row(each.kind.name, each.kind.what, *map(str, numbers))
    return table


def failures(outcome: Outcome) -> dict[str, int]:
    """How often an attempt did not succeed, by what came instead."""
    return {kind: count for kind, count in sorted(outcome.tally.answers.items()) if kind not in USUAL}


def results_document(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """The same as a JSON value."""
    return [
        {
            "fault": each.kind.name,
            "what": each.kind.what,
            "durability": each.kind.setting.durability,
            "rounds": each.rounds,
            "clients": each.clients,
            "acknowledged": each.tally.acknowledged,
            "tried_again": failures(each),
            "known_again": each.tally.replayed,
            "games": each.aftermath.games,
            "finished": each.aftermath.finished,
            "events": each.aftermath.events,
            "longest_answer_seconds": round(each.answer, 1),
            "longest_recovery_seconds": round(each.recovery, 1),
            "seconds": round(each.seconds, 1),
            "findings": list(each.findings),
        }
        for each in outcomes
    ]
