"""The rehearsal: from one release to the next, process by process while games go on, back, and forward again."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Final

from tests.faults.aftermath import Aftermath, examine
from tests.faults.ledger import Tally
from tests.faults.players import Players
from tests.upgrades.bots import bots_findings
from tests.upgrades.fleet import MACHINES, SYSTEMS, Fleet
from tests.upgrades.places import Place, readers_first, readers_last
from tests.upgrades.records import Records, verify_all
from tests.upgrades.revision import Revision

GO_ON_SECONDS: Final = 90.0
"""How long it may take after a step until a command of every client is acknowledged."""
Order = Callable[[Sequence[str]], list[Place]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is rehearsed."""

    before: Revision
    after: Revision
    clients: int = 6
    forward: Order = readers_first
    back: Order = readers_last


@dataclass(frozen=True, slots=True)
class Step:
    """A process that was exchanged, and what clients saw until each had a command acknowledged again."""

    phase: str
    place: Place
    to: str
    ready: float
    """Seconds until it said that it is ready."""
    going_on: float
    """Seconds from the beginning of the step until every client had been acknowledged something after it."""
    tally: Tally


@dataclass(slots=True)
class Rehearsed:
    """What came of it."""

    steps: list[Step] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    aftermath: Aftermath = field(default_factory=lambda: Aftermath(0, 0, 0, ()))
    records: Records = field(default_factory=Records)
    store_file_bytes: int = 0
    seconds: float = 0.0
    findings: list[str] = field(default_factory=list)


def rehearse(plan: Plan, folder: Path, tell: Callable[[str], object]) -> Rehearsed:
    """Rehearse an upgrade in an empty folder.

    Raises:
        AssertionError: it cannot be gone on with, as where a process does not become ready.
    """
    found, begun = Rehearsed(), time.monotonic()
    tell(f"starting {plan.before.name} on two machines")
    with Fleet(folder, plan.before) as fleet, Players(fleet, plan.clients) as players:
        steps = _Steps(fleet, players, found, tell)
        steps.await_clients()
        steps.take("forward", plan.forward(MACHINES), plan.after)
        # So that clients sit in games that the newer commit has set up.
        players.begin_anew()
        steps.await_clients()
        steps.take("back", plan.back(MACHINES), plan.before)
        steps.take("forward again", plan.forward(MACHINES), plan.after)
        players.rest()
        tell("every game of bots goes on")
        found.findings += bots_findings(fleet, players.bots_games)
        # What they play would move on while it is looked at.
        fleet.stop_bots()
        tell("the list of games is rebuilt")
        rebuilt = fleet.operate("projections", "rebuild")
        if rebuilt.returncode:
            found.findings.append(f"the list was not rebuilt: {rebuilt.stdout[-500:]}{rebuilt.stderr[-500:]}")
        tell("the log is compared with what clients were told")
        found.aftermath = examine(fleet, players, patient=True)
        found.store_file_bytes = fleet.store_file_bytes
        tell("both verifiers read every record")
        found.records = verify_all(fleet)
        found.tally = players.ledger.tally()
        found.findings += [*players.ledger.findings, *fleet.findings]
    found.findings += [*found.aftermath.findings, *found.records.findings]
    if left := fleet.left_behind():
        found.findings.append(f"processes were left behind: {left}")
    found.seconds = time.monotonic() - begun
    return found


class _Steps:
    """Exchanges one process after the other, while clients play."""

    def __init__(
        self, fleet: Fleet, players: Players, found: Rehearsed, tell: Callable[[str], object]
    ) -> None:
        self._fleet = fleet
        self._players = players
        self._found = found
        self._tell = tell
        self._systems = cycle(SYSTEMS)

    def take(self, phase: str, places: Sequence[Place], release: Revision) -> None:
        """Exchange these processes in this order; bots begin games of two rule systems after each."""
        for place in places:
            self._tell(f"{phase}: {place}")
            before, begun = self._players.ledger.tally(), time.monotonic()
            ready = self._fleet.change(place, release)
            for _ in range(2):
                self._players.begin_bots_game(next(self._systems))
            self.await_clients()
            tally = self._players.ledger.tally().since(before)
            going_on = time.monotonic() - begun
            self._found.steps.append(Step(phase, place, release.name, ready, going_on, tally))
            self._fleet.mend()

    def await_clients(self) -> None:
        """Wait until a command of every client is acknowledged."""
        begun = time.monotonic()
        if self._players.await_acknowledged(GO_ON_SECONDS) is None:
            silent = self._players.silent_since(begun)
            self._found.findings.append(f"clients {silent} do not go on")
