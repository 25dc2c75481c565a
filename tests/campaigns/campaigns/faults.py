"""Rounds of faults while clients play: after each every client must play on, and in the end everything must hold."""

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from tests.campaigns.faults import FAULTS as KINDS
from tests.campaigns.faults import Fault, Round
from tests.campaigns.installation import AROUND_THE_STORE, Installation
from tests.campaigns.invariants import examine
from tests.campaigns.load import Players, failures
from tests.campaigns.report import Plan, Report, Rows, Tell

FAULTS: Final = tuple(each.name for each in KINDS)
BEGIN_SECONDS: Final = 60.0
RECOVERY_SECONDS: Final = 90.0
"""The longest time after a fault until a command of every client is acknowledged."""
LOOK_SECONDS: Final = 0.05
HEADINGS: Final = "fault,what happened,rounds,acknowledged,retried,replayed,given up,games,finished,events"
TIMES: Final = ("longest, s", "took s", "findings")


class Size(NamedTuple):
    """The default size of a campaign of rounds; with `shared` equal settings share an installation."""

    rounds: int
    clients: int
    seconds: float = 20.0
    shared: bool = False
    processes: Sequence[str] = AROUND_THE_STORE


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Run all faults, each on an installation of its own."""
    return run_rounds(KINDS, plan, folder, tell, Size(50, 16, shared=plan.shared))


class _Outcome(NamedTuple):
    fault: Fault
    counts: Mapping[str, int]
    longest: Mapping[str, float]
    seconds: float
    findings: Sequence[str]


def run_rounds(kinds: Sequence[Fault], plan: Plan, folder: Path, tell: Tell, size: Size) -> Report:
    """Run rounds of these faults under load."""
    report = Report()
    chosen = [each for each in kinds if not plan.faults or each.name in plan.faults]
    chosen = sorted(chosen, key=lambda each: each.setting) if size.shared else chosen
    groups = groupby(chosen, lambda each: (each.setting, "" if size.shared else each.name))
    for number, (_, group) in enumerate(groups):
        some = [*group]
        installation = Installation(folder / str(number), some[0].setting, size.processes)
        run_on(installation, some, plan, tell, size=size, report=report)
        tell(f"{some[-1].name}: {len(report.findings)} findings so far")
    report.tables = [Rows(report.tables[0].headings, [row for _, rows in report.tables for row in rows])]
    return report


def run_on(
    installation: Installation, kinds: Sequence[Fault], plan: Plan, tell: Tell, *, size: Size, report: Report
) -> None:
    """Run rounds of these faults on one installation, and add to the report what was found."""
    with installation, Players(installation, plan.clients or size.clients) as players:
        if not players.await_acknowledged(BEGIN_SECONDS):
            players.ledger.find("the clients could not begin to play")
        outcomes = [_run_fault(kind, installation, players, plan, tell=tell, size=size) for kind in kinds]
        players.rest()
        installation.stop_bots()
        tell("examining the log")
        found = examine(installation, players.ledger, players.heard(), patient=plan.patient)
        findings = [*players.ledger.findings, *installation.findings, *found.findings]
    known = {finding for outcome in outcomes for finding in outcome.findings}
    name = "+".join(dict.fromkeys(each.name for each in kinds))
    overall = [each for each in findings if each not in known] + installation.left_behind()
    report.findings += [f"{each.fault.name}: {finding}" for each in outcomes for finding in each.findings]
    report.findings += [f"{name}: {finding}" for finding in overall]
    rows = list[Sequence[object]]()
    for fault, counts, longest, seconds, own in outcomes:
        report.notes.append(f"{fault.name}: {failures(counts) or 'every attempt succeeded'}")
        rows.append(
            (
                *(fault.name, fault.what, plan.rounds or size.rounds),
                counts["acknowledged"],
                sum(failures(counts).values()),
                *(counts["replayed"], counts["given up"]),
                *(found.games, len(found.finished), found.events),
                ", ".join(f"{what} {took:.1f}" for what, took in longest.items()),
                f"{seconds:.0f}",
                len(own) + len(overall),
            )
        )
    report.tables.append(Rows((*HEADINGS.split(","), *TIMES), rows))
    report.notes.append(f"records that verify: {dict(found.systems)}")


def _run_fault(
    kind: Fault, installation: Installation, players: Players, plan: Plan, *, tell: Tell, size: Size
) -> _Outcome:
    dice, ledger = random.Random(f"{kind.name} {plan.seed}"), players.ledger
    rounds = plan.rounds or size.rounds
    before, begun = Counter(ledger.counts), time.monotonic()
    known = {*ledger.findings, *installation.findings}
    ledger.longest = 0.0
    round_ = Round(installation, players, dice, plan.seconds or size.seconds, plan.slack)
    for number in range(rounds):
        time.sleep(dice.uniform(0.1, 0.5))
        kind.inject(round_)
        broken = time.monotonic()
        while silent := players.silent_since(broken):
            installation.mend()
            if time.monotonic() > broken + RECOVERY_SECONDS:
                ledger.find(f"{kind.name}, round {number + 1}: clients {silent} never played on")
                break
            time.sleep(LOOK_SECONDS)
        round_.note("recovery", time.monotonic() - broken)
        tell(f"{kind.name}: round {number + 1} of {rounds}")
    findings = [each for each in (*ledger.findings, *installation.findings) if each not in known]
    longest = {"answer": ledger.longest, **round_.longest}
    return _Outcome(kind, ledger.counts - before, longest, time.monotonic() - begun, findings)
