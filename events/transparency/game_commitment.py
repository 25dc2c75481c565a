"""What the service signs before a game is asked for: the commitment to the secret that the game will be dealt from.

The text of the note has four lines, the first of which no other signed text has:

    fieldbook game commitment v1
    game <id>
    commitment <SHA-256 of the secret, 64 hex digits>
    at <milliseconds since the epoch>

Whoever holds it before naming any seed can show later that the secret was not chosen to fit the seeds.
"""

import re
from dataclasses import dataclass
from typing import Final

from events.transparency.signed_note import NoteRefused

_FIRST_LINE: Final = "fieldbook game commitment v1\n"
_TEXT = re.compile(
    _FIRST_LINE + r"game (?P<game>[A-Za-z0-9_-]{1,64})\n"
    r"commitment (?P<commitment>[0-9a-f]{64})\n"
    r"at (?P<at>0|[1-9][0-9]{0,14})\n"
)


@dataclass(frozen=True, slots=True)
class GameCommitment:
    """The commitment that a game is going to have."""

    game: str
    commitment: str
    at: int
    """When it was given out, in milliseconds since the epoch."""

    def text(self) -> str:
        """What is signed."""
        return f"{_FIRST_LINE}game {self.game}\ncommitment {self.commitment}\nat {self.at}\n"


def is_game_commitment(text: str) -> bool:
    """Whether a signed text is about a commitment, by its first line."""
    return text.startswith(_FIRST_LINE)


def parse_game_commitment(text: str) -> GameCommitment:
    """Read the text of a signed commitment.

    Raises:
        NoteRefused: it is none.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise NoteRefused("the text is no game commitment: four lines that name game, commitment and time")
    return GameCommitment(found["game"], found["commitment"], int(found["at"]))
