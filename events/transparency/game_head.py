"""What the service signs about a game: that at this version its chain has this hash.

The text of the note has five lines, the first of which no other signed text has:

    fieldbook game head v1
    game <id>
    version <version>
    hash <chain hash, 64 hex digits>
    status <open, running or finished>

The same text is the leaf of the transparency log.
"""

import re
from dataclasses import dataclass

from events.transparency.signed_note import NoteRefused

_TEXT = re.compile(
    r"fieldbook game head v1\n"
    r"game (?P<game>[A-Za-z0-9_-]{1,64})\n"
    r"version (?P<version>[1-9][0-9]{0,14})\n"
    r"hash (?P<hash>[0-9a-f]{64})\n"
    r"status (?P<status>open|running|finished)\n"
)


@dataclass(frozen=True, slots=True)
class GameHead:
    """A game's chain head at one version."""

    game: str
    version: int
    hash: str
    status: str
    """`open` before the start, `running`, or `finished`."""

    def text(self) -> str:
        """What is signed, and what is logged."""
        return (
            f"fieldbook game head v1\ngame {self.game}\nversion {self.version}\n"
            f"hash {self.hash}\nstatus {self.status}\n"
        )


def signed_status(status: str) -> str:
    """What is signed about a game of this status: between its end and the opening of its secret it still runs."""
    return "running" if status == "ended" else status


def parse_game_head(text: str) -> GameHead:
    """Read the text of a signed game head.

    Raises:
        NoteRefused: it is none.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise NoteRefused("the text is no game head: five lines that name game, version, hash and status")
    return GameHead(found["game"], int(found["version"]), found["hash"], found["status"])
