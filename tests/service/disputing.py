"""What the tests of disputes are written with: cases in stored games, and an application that plays at the table."""

from collections.abc import Sequence
from itertools import count
from typing import Final

from events.commands import Command as GameCommand
from events.disputes import commands as c
from events.disputes.events import RulingGiven
from events.disputes.facts import Limits
from events.disputes.people import Person
from events.disputes.state import Case
from events.recorded import RecordedEvent
from events.redis_store import RedisEventStore
from events.rules.legal import legal_commands
from service.disputes import Remembered
from service.settling import Application, Settling, Wish
from service.tables import Sitting, Tables

RUNNING: Final = 120
"""A version of the first recorded game at which it is running."""
DAY: Final = 24 * 60 * 60 * 1000
LIMITS: Final = Limits(dispute=14 * DAY, claim=7 * DAY, ruling=6 * DAY, appeal=DAY)
NOW: Final = 1_800_000_000_000
ANN, BEN, CAT, DAN = (Person(f"seat:{seat}", name) for seat, name in enumerate(("Ann", "Ben", "Cat", "Dan")))
ADA, BOB = Person("key_a", "Ada"), Person("key_b", "Bob")
DISMISSAL: Final = c.GiveRuling("dismissed", "the offer of turn 7", "The log shows the acceptance.")
REWINDING: Final = c.GiveRuling("rewound", "turn 7", "It was never accepted.", 101)
_requests = count(1)


class Playing:
    """An application by which a final ruling makes somebody at the table play: real entries of the game."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self.asked: list[tuple[str, bool]] = []

    def check(self, sitting: Sitting, case: int, ruling: RulingGiven, by: Person) -> None:
        """Anything can be ruled here."""
        assert sitting.table.version
        assert case
        assert ruling.kind
        assert by.who

    def entries(
        self, sitting: Sitting, before: Case | None, after: Case, at: int, *, is_final: bool
    ) -> Sequence[RecordedEvent]:
        """A command of a seat, where the ruling is final and goes back."""
        assert before is None or before.number == after.number
        self.asked.append((after.status, is_final))
        ruling = after.ruling
        if not is_final or ruling is None or ruling.kind != "rewound":
            return ()
        table = sitting.table
        for seat in range(len(table.state.seats)):
            for each in legal_commands(table.rules, table.state, seat):
                if isinstance(each, GameCommand):
                    return table.submit(seat, each, at)[1]
        raise AssertionError("nobody can do anything")


class Chamber:
    """Somebody who settles the cases of one game."""

    def __init__(self, store: RedisEventStore, game: str, application: Application | None = None) -> None:
        """Begin now."""
        self.settling = Settling(store, Tables(store), LIMITS, application)
        self.game = game
        self.at = NOW

    def do(
        self, command: c.Command, by: Person, case: int = 1, request: str | None = None
    ) -> tuple[Remembered, bool]:
        """Send a command; a request of its own unless one is named."""
        named = request or f"request-{next(_requests)}"
        arbitrates = by in (ADA, BOB)
        return self.settling.send(
            Wish(self.game, case, command, by, self.at, named, repr(command), arbitrates)
        )

    def opened(self, by: Person = ANN, version: int = 110) -> int:
        """Open a case; returns its number."""
        return self.do(c.OpenDispute("not_agreed", "I never accepted that.", version), by, 0)[0].case

    def ruled(self, ruling: c.GiveRuling = DISMISSAL) -> None:
        """Open a case and give a ruling in it."""
        case = self.opened()
        self.do(c.Claim(), ADA, case)
        self.do(ruling, ADA, case)

    @property
    def types(self) -> list[str]:
        """The types of all entries."""
        return [entry.written["type"] for entry in self.settling.disputes.of(self.game).entries]

    @property
    def case(self) -> Case:
        """The first case."""
        return self.settling.disputes.of(self.game).cases[0]
