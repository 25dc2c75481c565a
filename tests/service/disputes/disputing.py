"""What the tests of disputes are written with: cases in stored games."""

from itertools import count
from typing import Final

from events.disputes import commands as c
from events.disputes.facts import Limits, Person
from events.disputes.state import Case
from events.store.redis.redis_store import RedisEventStore
from service.disputes.dispute_resolution import DisputeRequest, DisputeResolution
from service.disputes.disputes import CaseAnswer
from service.disputes.ruling_application import RulingApplication
from service.play.tables import Tables

RUNNING: Final = 120
"""A version of the first recorded game at which it is running."""
DAY: Final = 24 * 60 * 60 * 1000
LIMITS: Final = Limits(dispute=14 * DAY, claim=7 * DAY, ruling=6 * DAY, appeal=DAY)
NOW: Final = 1_800_000_000_000
ANN, BEN, CAT, DAN = (Person(f"seat:{seat}", name) for seat, name in enumerate(("Ann", "Ben", "Cat", "Dan")))
ADA, BOB = Person("key_a", "Ada"), Person("key_b", "Bob")
DISMISSAL: Final = c.GiveRuling("dismissed", "the offer of turn 7", "The log shows the acceptance.")
REWINDING: Final = c.GiveRuling("rewound", "turn 7", "It was never accepted.", 101, seen_confirmed=True)
_requests = count(1)


class Chamber:
    """Somebody who settles the cases of one game."""

    def __init__(
        self,
        store: RedisEventStore,
        game: str,
        application: RulingApplication | None = None,
    ) -> None:
        """Begin now."""
        self.dispute_resolution = DisputeResolution(store, Tables(store), LIMITS, application)
        self.game = game
        self.at = NOW

    def do(
        self, command: c.Command, by: Person, case: int = 1, request: str | None = None
    ) -> tuple[CaseAnswer, bool]:
        """Send a command; a request of its own unless one is named."""
        named = request or f"request-{next(_requests)}"
        arbitrates = by in (ADA, BOB)
        return self.dispute_resolution.send(
            DisputeRequest(self.game, case, command, by, self.at, named, repr(command), arbitrates)
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
        return [entry.written["type"] for entry in self.dispute_resolution.disputes.of(self.game).entries]

    @property
    def case(self) -> Case:
        """The first case."""
        return self.dispute_resolution.disputes.of(self.game).cases[0]
