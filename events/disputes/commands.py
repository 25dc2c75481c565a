"""What may be asked of a case."""

import msgspec

from events.disputes.facts import Person


class OpenDispute(msgspec.Struct, frozen=True):
    """Dispute what happened at a version of the game, and perhaps have the game wait for the end of it."""

    reason: str
    text: str
    version: int
    pause: bool = False


class AddEvidence(msgspec.Struct, frozen=True):
    """Add to what a case is judged by: a text, and the versions of the game that it is about."""

    text: str
    versions: tuple[int, ...] = ()


class Withdraw(msgspec.Struct, frozen=True):
    """Take the case back: the one who opened it, until a ruling is given."""


class AskToGoOn(msgspec.Struct, frozen=True):
    """Ask that the game goes on while the case is decided: whoever had it wait, or all others together."""


class Claim(msgspec.Struct, frozen=True):
    """Take the case on, as an arbiter."""


class ReleaseClaim(msgspec.Struct, frozen=True):
    """Leave the case to another arbiter."""


class GiveRuling(msgspec.Struct, frozen=True):
    """Rule: on what (`scope`), and why (`reason`); then what the kind needs.

    `rewound` needs `to_version`, `awarded` needs `winners`, `replaced` needs `winners` and `scores`.
    """

    kind: str
    scope: str
    reason: str
    to_version: int | None = None
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    seen_confirmed: bool = False
    """That hidden cards were seen which the table forgets is known and wanted."""


class Accept(msgspec.Struct, frozen=True):
    """Agree with the ruling, as a party."""


class Appeal(msgspec.Struct, frozen=True):
    """Ask for another arbiter's ruling, as a party."""

    text: str


class PassDeadline(msgspec.Struct, frozen=True):
    """Note that the time for something is over; nothing happens where it is not."""


class MakeFinal(msgspec.Struct, frozen=True):
    """Note that the ruling stands for good, and what it has brought about in the game's log."""

    applied: bool
    """Whether the game's log got entries by it."""
    game_version: int
    game_hash: str
    """Where the game's log stands after it."""


Command = (
    OpenDispute
    | AddEvidence
    | Withdraw
    | AskToGoOn
    | Claim
    | ReleaseClaim
    | GiveRuling
    | Accept
    | Appeal
    | PassDeadline
    | MakeFinal
)


class CaseCommand(msgspec.Struct, frozen=True):
    """Somebody's command to a case."""

    case: int
    """Its number in the game; 0 for one that is being opened."""
    command: Command
    by: Person
    at: int
    """When it arrived, in milliseconds since 1970-01-01 UTC."""
    arbitrates: bool = False
    """Whether they may be an arbiter at all."""
