"""A case as it stands, and what can be done in each status."""

from collections.abc import Iterable
from typing import Final

import msgspec

from events.disputes.facts import GameFacts, Person, Result, SeenSince, seat_name

OPEN: Final = "open"
CLAIMED: Final = "claimed"
RULED: Final = "ruled"
APPEALED: Final = "appealed"
APPEAL_CLAIMED: Final = "appeal_claimed"
FINAL: Final = "final"
WITHDRAWN: Final = "withdrawn"
LAPSED: Final = "lapsed"

EVIDENCE: Final = "evidence"
WITHDRAWAL: Final = "withdrawal"
CLAIM: Final = "claim"
RELEASE: Final = "release"
RULING: Final = "ruling"
ACCEPTANCE: Final = "acceptance"
APPEAL: Final = "appeal"
RESUMPTION: Final = "resumption"
"""Asking that a game that waits for a case goes on: possible while it waits, and no ruling was given."""

POSSIBLE: Final[dict[str, tuple[str, ...]]] = {
    OPEN: (EVIDENCE, WITHDRAWAL, CLAIM),
    CLAIMED: (EVIDENCE, WITHDRAWAL, RELEASE, RULING),
    RULED: (ACCEPTANCE, APPEAL),
    APPEALED: (EVIDENCE, CLAIM),
    APPEAL_CLAIMED: (EVIDENCE, RELEASE, RULING),
    FINAL: (),
    WITHDRAWN: (),
    LAPSED: (),
}
"""Every status with what people can do in it."""
ENDED: Final = frozenset(status for status, possible in POSSIBLE.items() if not possible)

BEFORE_A_RULING: Final = frozenset({OPEN, CLAIMED})
AGREED: Final = "agreed"
TIME_OVER: Final = "time_over"
"""Why a game goes on before its case has ended."""

NOT_AGREED: Final = "not_agreed"
CLOCK: Final = "clock"
WRONG_RULE: Final = "wrong_rule"
MISTAKE: Final = "mistake"
COLLUSION: Final = "collusion"
CONDUCT: Final = "conduct"
OTHER: Final = "other"
REASONS: Final = (NOT_AGREED, CLOCK, WRONG_RULE, MISTAKE, COLLUSION, CONDUCT, OTHER)
"""What a case can be about."""

DISMISSED: Final = "dismissed"
ANNULLED: Final = "annulled"
REWOUND: Final = "rewound"
AWARDED: Final = "awarded"
REPLACED: Final = "replaced"
KINDS: Final = (DISMISSED, ANNULLED, REWOUND, AWARDED, REPLACED)
"""The kinds of rulings."""

ALL_ACCEPTED: Final = "all_accepted"
NO_APPEAL: Final = "no_appeal"
APPEAL_RULED: Final = "appeal_ruled"
APPEAL_UNCLAIMED: Final = "appeal_unclaimed"
"""Why a ruling can be final, with those above."""


class Ruling(msgspec.Struct, frozen=True):
    """A ruling as it was given."""

    by: Person
    at: int
    kind: str
    scope: str
    reason: str
    until: int
    to_version: int | None = None
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    seen: tuple[SeenSince, ...] = ()
    seen_confirmed: bool = False

    @property
    def result(self) -> Result | None:
        """The result that it gives the game; None where it leaves that alone."""
        return Result(self.winners, self.scores) if self.kind in {ANNULLED, AWARDED, REPLACED} else None


class Ending(msgspec.Struct, frozen=True):
    """How a ruling became final."""

    at: int
    why: str
    applied: bool
    game_version: int
    game_hash: str


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it stands."""

    number: int
    status: str
    reason: str
    text: str
    version: int
    """The disputed version of the game."""
    hash: str
    """The chain hash of the game after that version."""
    pause: bool
    opener: Person
    opened: int
    until: int | None
    """When the time for the next step is over; None where there is no next step."""
    changed: int
    pause_until: int | None = None
    """When a game that waits for it goes on at the latest; None where it does not wait."""
    play_wished: tuple[str, ...] = ()
    """Who has asked that the game goes on."""
    resumed: str = ""
    """Why the game waits for it no more, though it is not decided; empty where that has not happened."""
    arbiter: Person | None = None
    """Who has claimed it."""
    claims: tuple[str, ...] = ()
    """Who has claimed it, once for each time."""
    evidence: int = 0
    """How many pieces there are."""
    witnesses: tuple[str, ...] = ()
    """Who has added evidence, once for each piece."""
    said: tuple[tuple[str, int], ...] = ()
    """Who has said something in it, and how many bytes each time; what is ruled is not among it."""
    pack: str | None = None
    """The SHA-256 of the newest evidence pack."""
    pack_due: bool = True
    """Whether something was said that no evidence pack knows yet."""
    rulings: tuple[Ruling, ...] = ()
    """One, or two after an appeal."""
    accepted: tuple[str, ...] = ()
    appellant: Person | None = None
    appeal: str = ""
    ending: Ending | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.status in ENDED

    @property
    def holds_play(self) -> bool:
        """Whether a running game waits for it since it was opened."""
        return self.pause and not self.resumed and self.status in BEFORE_A_RULING

    @property
    def possible(self) -> tuple[str, ...]:
        """What people can do about it."""
        return (*POSSIBLE[self.status], *((RESUMPTION,) if self.holds_play else ()))

    @property
    def due(self) -> int | None:
        """When something is to be done about it if nobody does anything; None where nothing is."""
        pause = self.pause_until if self.holds_play else None
        return min((each for each in (self.until, pause) if each is not None), default=None)

    def is_pause_over(self, at: int) -> bool:
        """Whether the game has waited for it as long as it may."""
        return self.holds_play and self.pause_until is not None and at >= self.pause_until

    @property
    def ruling(self) -> Ruling | None:
        """The ruling that stands."""
        return self.rulings[-1] if self.rulings else None

    def is_late(self, at: int) -> bool:
        """Whether the time for the next step is over at this moment."""
        return self.until is not None and at >= self.until


Cases = tuple[Case, ...]
"""All cases of a game: the first one has number 1."""


def parties(case: Case, facts: GameFacts) -> tuple[str, ...]:
    """Who may accept a ruling or appeal: whoever opened the case, and everybody at a seat."""
    return tuple(dict.fromkeys((case.opener.who, *map(seat_name, facts.persons))))


def list_awaited(case: Case, facts: GameFacts) -> tuple[str, ...]:
    """Who must still accept a ruling for it to stand at once; nobody where there is none to accept."""
    if case.status != RULED or len(case.rulings) > 1:
        return ()
    return tuple(who for who in parties(case, facts) if who not in case.accepted)


def why_final(case: Case, facts: GameFacts, at: int) -> str | None:
    """Why the ruling of a case stands for good by now; None while it does not."""
    if case.status == APPEALED and case.is_late(at):
        return APPEAL_UNCLAIMED
    if case.status != RULED:
        return None
    if len(case.rulings) > 1:
        return APPEAL_RULED
    if not list_awaited(case, facts):
        return ALL_ACCEPTED
    return NO_APPEAL if case.is_late(at) else None


def find_result_ruling(cases: Cases) -> Ruling | None:
    """The last final ruling that gave a finished game its result; None where there is none.

    Where a ruling was applied to the game's log, that has the result.
    """
    return _last_with_result(case for case in cases if case.ending is not None and not case.ending.applied)


def standing_result(cases: Cases, facts: GameFacts) -> Result | None:
    """The result of a finished game that counts today: that of the last final ruling which gave one, or its own."""
    ruling = _last_with_result(cases)
    return facts.result if ruling is None else ruling.result


def _last_with_result(cases: Iterable[Case]) -> Ruling | None:
    final = [
        (case.ending.at, case.number, case.ruling)
        for case in cases
        if case.ending is not None and case.ruling is not None and case.ruling.result is not None
    ]
    return max(final, key=lambda each: each[:2])[2] if final else None
