"""The campaign of clocks: outages around deadlines while games with clocks are played; then all is judged."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.clocks.aftermath import Aftermath, examine
from tests.faults.clocks.aiming import MOMENTS, Aim
from tests.faults.clocks.outages import BREAKAGES, Breakage, Outage, await_whole, break_for
from tests.faults.clocks.seats import ClockedTable, Timed, await_all
from tests.faults.installation import Installation, Setting
from tests.faults.ledger import Ledger, Tally

LEAVE_SECONDS = 60.0
REST_SECONDS = 90.0
COUNTING = 2 / 3
"""The share of outages that are longer than three seconds."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a campaign is, and how it is played; what is drawn by lot follows from the seed."""

    rounds: int
    tables: int = 10
    calm: tuple[float, float] = (2.0, 14.0)
    """Seconds between two outages."""
    away: tuple[float, float] = (4.0, 8.0)
    """Seconds of an outage that counts."""
    short: tuple[float, float] = (0.3, 2.5)
    """Those of one that does not."""
    end_seconds: float = LEAVE_SECONDS
    """How long games may come to their end by themselves, before everybody leaves."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a campaign."""

    seed: int
    seconds: float
    outages: tuple[Outage, ...]
    games: tuple[Timed, ...]
    tally: Tally
    aftermath: Aftermath
    findings: tuple[str, ...]

    def outages_by_name(self) -> dict[str, tuple[int, int]]:
        """How many outages of each kind there were, and how many of them count."""
        every = Counter(each.name for each in self.outages)
        counting = Counter(each.name for each in self.outages if each.counts)
        return {name: (count, counting[name]) for name, count in every.items()}


def run(
    folder: Path,
    length: Length,
    breakages: Sequence[Breakage] = BREAKAGES,
    tell: Callable[[str], None] = lambda _: None,
) -> Result:
    """Let outages of these kinds happen one after the other, in this empty folder; `tell` hears of every round."""
    begun, dice, ledger = time.monotonic(), random.Random(length.seed), Ledger()
    outages: list[Outage] = []
    with Installation(folder, Setting("fsync")) as installation:
        await_whole(installation)
        port, key = installation.service.port, installation.service.key(("create_games",))
        tables = [
            ClockedTable(number, port, ledger, key=key, seed=length.seed) for number in range(length.tables)
        ]
        try:
            for table in tables:
                table.start()
            aim = Aim(installation, tables, dice)
            for number in range(length.rounds):
                time.sleep(dice.uniform(*length.calm))
                breakage, moment = breakages[number % len(breakages)], dice.choice(MOMENTS)
                seconds = dice.uniform(*(length.away if dice.random() < COUNTING else length.short))
                tell(
                    f"round {number + 1} of {length.rounds}: {breakage.name}, {seconds:.1f} s, {moment} a deadline"
                )
                aim.await_moment(moment, seconds)
                outages.append(break_for(installation, breakage, seconds))
            tell("letting games come to their end")
            _end(tables, ledger, length.end_seconds)
        finally:
            for table in tables:
                table.stop()
        tell("judging the logs")
        games = tuple(game for table in tables for game in table.games)
        aftermath = examine(installation, games, outages, ledger)
        findings = [*ledger.findings, *installation.findings, *aftermath.findings]
    if alive := installation.left_behind():
        findings.append(f"processes were left behind: {alive}")
    seconds = time.monotonic() - begun
    return Result(length.seed, seconds, tuple(outages), games, ledger.tally(), aftermath, tuple(findings))


def _end(tables: Sequence[ClockedTable], ledger: Ledger, seconds: float) -> None:
    """Let all games come to their ends: by themselves within this time, or because everybody leaves."""
    for table in tables:
        table.begin_no_more()
    if await_all(tables, seconds):
        return
    for table in tables:
        table.leave()
    if not await_all(tables, REST_SECONDS):
        ledger.find("some games do not come to their end though everybody has left")
