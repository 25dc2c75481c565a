"""Cases given, a step taken, and what it brings about: what the tests of cases are written with."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
import pytest

from events.disputes import commands as c
from events.disputes.decide import case_number, decide
from events.disputes.errors import DisputeRefused
from events.disputes.events import CaseEventRecord
from events.disputes.evolve import fold
from events.disputes.facts import SERVICE, GameFacts, Limits, Person, VersionFacts
from events.disputes.state import Cases

DAY: Final = 24 * 60 * 60 * 1000
LIMITS: Final = Limits(dispute=14 * DAY, claim=7 * DAY, ruling=6 * DAY, appeal=DAY)
START: Final = 1_800_000_000_000

ANN, BEN = Person("seat:0", "Ann"), Person("seat:1", "Ben")
BOT: Final = Person("seat:2", "Rob")
CREATOR: Final = Person("key_c", "the club")
ADA, BOB, STRANGER = Person("key_a", "Ada"), Person("key_b", "Bob"), Person("key_s", "somebody")
ARBITERS: Final = {"key_a", "key_b", "key_c"}
"""The creator has the scope too, which does not help in this game."""
HEAD: Final = 40

FACTS: Final = GameFacts(
    game="g",
    seats=3,
    persons=(0, 1),
    creator=CREATOR.who,
    version=HEAD,
    hash="f" * 64,
    status="running",
    moments=tuple(
        VersionFacts(version, f"{version:064x}", stops=version > 5) for version in range(1, HEAD + 1)
    ),
)
FINISHED: Final = msgspec.structs.replace(FACTS, status="finished", ended=START)

OPENING: Final = c.OpenDispute("not_agreed", "I never accepted that.", 17)
DISMISSAL: Final = c.GiveRuling("dismissed", "the offer of turn 7", "The log shows the acceptance.")


class Court:
    """The cases of one game, moved on step by step."""

    def __init__(self, facts: GameFacts = FACTS, at: int = START) -> None:
        """Begin without a case."""
        self.facts = facts
        self.at = at
        self.cases: Cases = ()
        self.happened: list[CaseEventRecord] = []

    def do(self, command: c.Command, by: Person = SERVICE, case: int = 1) -> list[str]:
        """Take a step that is accepted; returns the types of its events."""
        step = c.CaseCommand(case, command, by, self.at, by.who in ARBITERS)
        events = decide(self.cases, step, self.facts, LIMITS)
        number = case_number(self.cases, step)
        new = [CaseEventRecord(number, self.at, by, event) for event in events]
        self.happened += new
        self.cases = fold(new, self.cases)
        return [str(event.__struct_config__.tag) for event in events]

    def refuses(self, command: c.Command, by: Person, case: int = 1) -> tuple[str, dict[str, Any]]:
        """Take a step that is refused and changes nothing; returns its code and what else is told."""
        before = self.cases
        with pytest.raises(DisputeRefused) as refused:
            self.do(command, by, case)
        assert self.cases is before
        assert str(refused.value)
        return refused.value.code, refused.value.members

    def code(self, command: c.Command, by: Person, case: int = 1) -> str:
        """The code with which a step is refused."""
        return self.refuses(command, by, case)[0]

    @property
    def status(self) -> str:
        """The status of the first case."""
        return self.cases[0].status

    def final(self) -> list[str]:
        """Make the ruling final."""
        return self.do(c.MakeFinal(applied=True, game_version=41, game_hash="a" * 64))


def court(*steps: str, facts: GameFacts = FACTS) -> Court:
    """A case after these steps: open, claim, rule, appeal."""
    given = Court(facts)
    known: dict[str, tuple[c.Command, Person]] = {
        "open": (OPENING, ANN),
        "claim": (c.Claim(), ADA),
        "rule": (DISMISSAL, ADA),
        "appeal": (c.Appeal("That is not what happened."), BEN),
        "claim again": (c.Claim(), BOB),
        "rule again": (DISMISSAL, BOB),
        "withdraw": (c.Withdraw(), ANN),
    }
    for step in steps:
        given.do(*known[step])
    return given


def codes(given: Court, command: c.Command, people: Iterable[Person]) -> set[str]:
    """The codes with which these people are refused a step."""
    return {given.code(command, each) for each in people}
