"""The campaign: rounds of faults under load, each followed by the recovery of every client, and the examination."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.aftermath import Aftermath, examine
from tests.faults.installation import Installation, Setting
from tests.faults.kinds import Kind, Round
from tests.faults.ledger import Tally
from tests.faults.players import Players

RECOVERY_SECONDS = 90.0
"""How long the service may take, after what was broken is there again, to acknowledge a command of every client."""
BEGIN_SECONDS = 60.0
LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Length:
    """How long a campaign is."""

    rounds: int = 50
    slow_rounds: int = 50
    """Rounds of those faults that take many seconds each."""
    clients: int = 16
    pause_seconds: float = 20.0
    patient: bool = True
    """Wait also for the validations that were with a worker when it was killed: a minute and more."""

    def rounds_of(self, kind: Kind) -> int:
        """How many rounds a fault has."""
        return self.slow_rounds if kind.slow else self.rounds


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the rounds of one fault. `recovery` and `answer` are the longest, in seconds."""

    kind: Kind
    rounds: int
    clients: int
    seconds: float
    tally: Tally
    recovery: float
    answer: float
    aftermath: Aftermath
    findings: tuple[str, ...]


@dataclass(slots=True)
class _Rounds:
    """The rounds of one fault while they are under way."""

    kind: Kind
    seconds: float
    tally: Tally
    recovery: float
    answer: float
    findings: list[str]


def run(
    kinds: Sequence[Kind],
    setting: Setting,
    length: Length,
    folder: Path,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Outcome]:
    """Let these faults happen one after the other to one installation, in this empty folder.

    `tell` hears of every round.
    """
    begun = time.monotonic()
    with Installation(folder, setting) as installation, Players(installation, length.clients) as players:
        if players.await_acknowledged(BEGIN_SECONDS) is None:
            players.ledger.find("the clients could not begin to play")
        done = [_rounds(kind, installation, players, length, tell) for kind in kinds]
        players.rest()
        # Its games would move on while they are looked at; the others lie still.
        installation.service.stop("bots")
        tell("examining the log")
        aftermath = examine(installation, players, patient=length.patient)
        left = [*players.ledger.findings, *installation.findings]
    if alive := installation.left_behind():
        left.append(f"processes were left behind: {alive}")
    known = {finding for rounds in done for finding in rounds.findings}
    overall = tuple(finding for finding in left if finding not in known) + aftermath.findings
    share = (time.monotonic() - begun - sum(rounds.seconds for rounds in done)) / len(done)
    return [
        Outcome(
            kind=rounds.kind,
            rounds=length.rounds_of(rounds.kind),
            clients=length.clients,
            seconds=rounds.seconds + share,
            tally=rounds.tally,
            recovery=rounds.recovery,
            answer=rounds.answer,
            aftermath=aftermath,
            findings=(*rounds.findings, *overall),
        )
        for rounds in done
    ]


def _rounds(
    kind: Kind,
    installation: Installation,
    players: Players,
    length: Length,
    tell: Callable[[str], None],
) -> _Rounds:
    """All rounds of one fault."""
    dice = random.Random(kind.name)
    before, ledger, begun = players.ledger.tally(), players.ledger, time.monotonic()
    known = len(ledger.findings) + len(installation.findings)
    ledger.longest_answer()
    longest = 0.0
    for number in range(length.rounds_of(kind)):
        time.sleep(dice.uniform(0.1, 0.5))
        kind.inject(Round(installation, players, dice, length.pause_seconds))
        longest = max(longest, _recovered(kind, number, installation, players))
        tell(f"{kind.name}: round {number + 1} of {length.rounds_of(kind)}")
    findings = [*ledger.findings, *installation.findings]
    return _Rounds(
        kind=kind,
        seconds=time.monotonic() - begun,
        tally=ledger.tally().since(before),
        recovery=longest,
        answer=ledger.longest_answer(),
        findings=findings[known:],
    )


def _recovered(kind: Kind, number: int, installation: Installation, players: Players) -> float:
    """Wait until every client plays again, and return how many seconds that took."""
    begun = time.monotonic()
    while players.silent_since(begun):
        installation.mend()
        if time.monotonic() > begun + RECOVERY_SECONDS:
            silent = players.silent_since(begun)
            players.ledger.find(f"{kind.name}, round {number + 1}: clients {silent} never got on again")
            break
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - begun
