"""The rehearsal of an upgrade: this commit beside its parent on one store, process by process while games continue.

Two machines and a store move forward to this commit, back to the parent, and forward again: readers first and the web
last, and back in the reverse order; with another seed than 1 in a random order.
"""

import random
import time
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Final

from service.startup.processes import PROGRAMS
from tests.campaigns.installation import STORE, SYSTEMS, Fleet, Place, Revision, unpack
from tests.campaigns.invariants import examine, standing_findings
from tests.campaigns.load import Players, failures
from tests.campaigns.report import Plan, Report, Rows, Tell
from tests.support.servers import ROOT

FAULTS: Final = ("forward", "back", "forward again")
READERS_FIRST: Final = ("worker", "projector", "webhooks", "bots", "web")
"""Processes that only read what others write come first; the web last, where something new can begin."""
CONTINUE_SECONDS: Final = 90.0
"""How long it may take after a step until a command of every client is acknowledged."""
HEADINGS: Final = ("phase", "process", "now", "ready s", "all play on s", "acknowledged", "other answers")
assert {*READERS_FIRST} == {*PROGRAMS}, "every process has its place in the order"


def order_of(seed: int, *, back: bool) -> list[Place]:
    """Return the order in which processes are exchanged."""
    places = [Place(0, STORE), *(Place(each, name) for name in READERS_FIRST for each in (1, 2))]
    if seed != 1:
        random.Random(f"{seed} {back}").shuffle(places)
    return places[::-1] if back else places


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Rehearse the upgrade from `plan.before` to this commit."""
    before, report, steps = unpack(plan.before, folder / "before"), Report(), list[Sequence[object]]()
    ours = Revision("this commit", ROOT)
    with Fleet(folder, before) as fleet, Players(fleet, plan.clients or 6) as players:
        _await_clients(players)
        for phase in plan.faults or FAULTS:
            steps += _exchange(
                phase,
                before if phase == "back" else ours,
                seed=plan.seed,
                fleet=fleet,
                players=players,
                tell=tell,
            )
            # So that clients sit in games that the other commit has created.
            players.begin_anew()
            _await_clients(players)
        players.rest()
        report.findings += standing_findings(fleet, players.bots_games)
        fleet.stop_bots()
        report.findings += fleet.operate("projections", "rebuild")
        tell("examining the log")
        found = examine(fleet, players.ledger, players.heard())
        report.findings += [*players.ledger.findings, *fleet.findings, *found.findings]
        counts = players.ledger.counts
    report.findings += fleet.left_behind()
    report.tables.append(Rows(HEADINGS, steps))
    report.notes = [
        f"{counts['acknowledged']} commands acknowledged, {counts['replayed']} replayed",
        f"{found.games} games, {len(found.finished)} finished, {found.events} events",
        f"records that both verifiers accept: {dict(found.systems)}",
    ]
    return report


def _exchange(
    phase: str, revision: Revision, *, seed: int, fleet: Fleet, players: Players, tell: Tell
) -> list[Sequence[object]]:
    """Exchange one process after the other; after each step bots begin games of two rule systems."""
    steps, systems = list[Sequence[object]](), cycle(SYSTEMS)
    for place in order_of(seed, back=phase == "back"):
        tell(f"{phase}: {place}")
        before, begun = Counter(players.ledger.counts), time.monotonic()
        ready = fleet.exchange(place, revision)
        for _ in range(2):
            players.begin_bots_game(next(systems))
        _await_clients(players)
        going_on, counts = time.monotonic() - begun, players.ledger.counts - before
        other = ", ".join(f"{count} {kind}" for kind, count in failures(counts).items())
        steps.append(
            (phase, place, revision.name, f"{ready:.1f}", f"{going_on:.1f}", counts["acknowledged"], other)
        )
        fleet.mend()
    return steps


def _await_clients(players: Players) -> None:
    begun = time.monotonic()
    if not players.await_acknowledged(CONTINUE_SECONDS):
        players.ledger.find(f"clients {players.silent_since(begun)} do not play on")
