"""The rehearsal of an upgrade: this commit beside its parent on one store, process by process while games continue.

Two machines and a store move forward to this commit, back to the parent, and forward again: readers first and the web
last, and back in the reverse order; with another seed than 1 in a random order.
"""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from service.startup.processes import PROGRAMS
from tests.campaigns.campaigns.faults import Size, run_on
from tests.campaigns.faults import Fault, Round
from tests.campaigns.installation import STORE, Fleet, Place, Revision, unpack
from tests.campaigns.invariants import standing_findings
from tests.campaigns.report import Plan, Report, Tell
from tests.support.servers import ROOT

FAULTS: Final = ("forward", "back", "forward again")
READERS_FIRST: Final = ("worker", "projector", "webhooks", "bots", "web")
"""Processes that only read what others write come first; the web last, where something new can begin."""
assert {*READERS_FIRST} == {*PROGRAMS}, "every process has its place in the order"


def order_of(seed: int, *, back: bool) -> list[Place]:
    """Return the order in which processes are exchanged."""
    places = [Place(0, STORE), *(Place(each, name) for name in READERS_FIRST for each in (1, 2))]
    if seed != 1:
        random.Random(f"{seed} {back}").shuffle(places)
    return places[::-1] if back else places


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Rehearse the upgrade from `plan.before` to this commit."""
    before, report = unpack(plan.before, folder / "before"), Report()
    fleet = Fleet(folder, before)
    steps = [*_steps(plan, fleet, before, Revision("this commit", ROOT))]
    run_on(fleet, steps, plan._replace(rounds=1), tell, size=Size(1, 6), report=report)
    return report


def _steps(plan: Plan, fleet: Fleet, before: Revision, ours: Revision) -> Iterator[Fault]:
    for phase in plan.faults or FAULTS:
        revision = before if phase == "back" else ours
        for number, place in enumerate(order_of(plan.seed, back=phase == "back")):
            exchange = partial(_exchange, fleet, place, revision, is_first=number == 0)
            yield Fault(f"{phase} to {revision.name}", str(place), fleet.setting, exchange)
    yield Fault("at the end", "the list of games is rebuilt", fleet.setting, _rebuild)


def _exchange(fleet: Fleet, place: Place, revision: Revision, round_: Round, *, is_first: bool) -> None:
    """Exchange a process, and let bots begin games of two rule systems."""
    if is_first:
        # So that clients sit in games that the other commit has created.
        round_.players.begin_anew()
    round_.note("ready", fleet.exchange(place, revision))
    for _ in range(2):
        round_.players.begin_bots_game()


def _rebuild(round_: Round) -> None:
    installation, players = round_.installation, round_.players
    players.rest()
    players.ledger.find(*standing_findings(installation, players.bots_games))
    installation.stop_bots()
    players.ledger.find(*installation.operate("projections", "rebuild"))
    players.go_on()
