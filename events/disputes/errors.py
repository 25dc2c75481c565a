"""What is refused, and why.

DisputeRefused
├─ opening     NotAtTable  NoSuchVersion  TooLate  AlreadyDisputed  TooManyDisputes  TooManyPauses
├─ a case      NoSuchDispute  WrongCaseStatus  TooLate
├─ parties     NotAParty  NotTheOpener  TooMuchEvidence  AlreadyAccepted
├─ arbiters    NotTheArbiter  OwnGame  SameArbiter  TooManyClaims
└─ rulings     RulingWithoutScope  RulingWithoutReason  ContradictsLog  DealMustStay  SeenUnconfirmed  AlreadyApplied

Each has a stable `code` for machines, and may say more in `members`. They know nothing of HTTP.
"""

from typing import Any, ClassVar

import msgspec

from events.chain.canonical import snake_case
from events.disputes.facts import SeenSince


class DisputeRefused(Exception):
    """It may not be; the message says what was asked, what stands against it, and what to do.

    Attributes:
        code: the stable code.
        members: what else to tell machines.
    """

    code: ClassVar[str] = "dispute_refused"

    def __init_subclass__(cls) -> None:
        """Derive the stable code from the class name."""
        cls.code = snake_case(cls.__name__)

    def __init__(self, message: str, **members: Any) -> None:
        """Refuse with this message."""
        super().__init__(message)
        self.members = members


class NotAtTable(DisputeRefused):
    """Only people at the table, and the key that set the game up, open cases."""


class NoSuchVersion(DisputeRefused):
    """The game's log has no such version."""


class TooLate(DisputeRefused):
    """The time for it is over."""


class AlreadyDisputed(DisputeRefused):
    """There is a case about this version."""


class TooManyDisputes(DisputeRefused):
    """They have had enough cases in this game, or have enough open ones."""


class TooManyPauses(DisputeRefused):
    """They have had the game wait for their cases as often as they may."""


class NoSuchDispute(DisputeRefused):
    """The game has no case of this number."""


class WrongCaseStatus(DisputeRefused):
    """It cannot be done as the case stands."""


class NotAParty(DisputeRefused):
    """It is for the parties of the case."""


class NotTheOpener(DisputeRefused):
    """It is for whoever opened the case."""


class TooMuchEvidence(DisputeRefused):
    """They have added as much evidence to the case as one may, or said as much in this game as they may."""


class AlreadyAccepted(DisputeRefused):
    """Who has accepted a ruling cannot appeal against it."""


class NotTheArbiter(DisputeRefused):
    """It is for an arbiter, or for the one who has claimed the case."""


class OwnGame(DisputeRefused):
    """Nobody is arbiter in a game that they set up or a case that they opened."""


class SameArbiter(DisputeRefused):
    """An appeal is for another arbiter than the one who ruled."""


class TooManyClaims(DisputeRefused):
    """They have claimed this case as often as one arbiter may."""


class RulingWithoutScope(DisputeRefused):
    """A ruling says what it covers."""


class RulingWithoutReason(DisputeRefused):
    """A ruling says why."""


class ContradictsLog(DisputeRefused):
    """The game's log does not allow such a ruling."""


class DealMustStay(DisputeRefused):
    """Cards were drawn since, in a duplicate round, whose tables all have the same deal."""


class SeenUnconfirmed(DisputeRefused):
    """Hidden cards were seen since; going back needs to be confirmed."""

    def __init__(self, seen: tuple[SeenSince, ...]) -> None:
        """Say what was seen."""
        count = sum(each.cards for each in seen) or "some"
        super().__init__(
            f"Since that version {count} hidden cards were seen, which going back does not undo. "
            "Look at what was seen, and confirm with seen_confirmed.",
            seen=[msgspec.to_builtins(each) for each in seen],
        )


class AlreadyApplied(DisputeRefused):
    """The ruling is final, and has been applied."""
