"""What an arbiter may ask of a running game, and what seats may ask of each other: to take something back."""

from events.commands.base import Command


class PauseGame(Command, frozen=True):
    """The arbiter stops the game while a dispute is open; `case` is its number in this game, from 1."""

    case: int
    reason: str


class ResumeGame(Command, frozen=True):
    """The arbiter lets the game go on, as far as this case is concerned."""

    case: int


class RuleGame(Command, frozen=True):
    """The arbiter applies a ruling that is final.

    `kind` is `dismissed`, `annulled`, `rewound`, `awarded` or `replaced`; `arbiter` names a person, `scope`
    says what the ruling covers, `reason` why. `to_version` belongs to `rewound`, with `seen_confirmed` where hidden
    cards were seen; `winners` belong to `awarded` and `replaced`, and `scores` to `replaced`.
    """

    case: int
    kind: str
    arbiter: str
    scope: str
    reason: str
    to_version: int = 0
    seen_confirmed: bool = False
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


class AskTakeBack(Command, frozen=True):
    """A seat asks all others to go back to a version; nothing else is done until they have answered."""

    to_version: int
    seen_confirmed: bool = False


class AgreeTakeBack(Command, frozen=True):
    """A seat agrees; when all have, the game goes back."""


class DeclineTakeBack(Command, frozen=True):
    """A seat declines, or takes its own question back: the game goes on."""


ARBITER_COMMANDS = PauseGame | ResumeGame | RuleGame
TAKE_BACKS = AskTakeBack | AgreeTakeBack | DeclineTakeBack
