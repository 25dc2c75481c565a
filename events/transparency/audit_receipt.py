"""What the service signs about an audited game: how one version of its rules answers to what was played.

The text of the note has seven lines, the first of which no other signed text has:

    fieldbook audit v1
    game <id>
    version <version>
    hash <chain hash after the entry of that version, 64 hex digits>
    system <key> <version of the rules that were asked>
    engine <version of the engine that asked them>
    result <agrees, differs or invalid>

`agrees`: the record verifies, and these rules answer every command with exactly the events recorded. `differs`: the
record verifies, and they answer some command otherwise. `invalid`: the record does not verify; the rules named are
then those that the game is pinned to, or `unknown 0` where it could not be read so far.
"""

import re
from dataclasses import dataclass
from typing import Final

from events.transparency.signed_note import NoteRefused

AGREES: Final = "agrees"
DIFFERS: Final = "differs"
INVALID: Final = "invalid"
UNKNOWN_SYSTEM: Final = "unknown"
"""Stands for the rule system of a game whose record does not say so."""

_TEXT = re.compile(
    r"fieldbook audit v1\n"
    r"game (?P<game>[A-Za-z0-9_-]{1,64})\n"
    r"version (?P<version>[1-9][0-9]{0,14})\n"
    r"hash (?P<hash>[0-9a-f]{64})\n"
    r"system (?P<system>[a-z0-9-]{1,64}) (?P<system_version>0|[1-9][0-9]{0,14})\n"
    r"engine (?P<engine>[1-9][0-9]{0,14})\n"
    r"result (?P<result>agrees|differs|invalid)\n"
)


@dataclass(frozen=True, slots=True)
class AuditReceipt:
    """The result of asking one version of the rules about one game."""

    game: str
    version: int
    """The game's version when it was audited."""
    hash: str
    """The chain hash after the entry of that version."""
    system: str
    system_version: int
    """The version of the rules that were asked: those that the game is pinned to, or newer ones."""
    engine: int
    """The version of the engine that asked them."""
    result: str
    """`agrees`, `differs` or `invalid`."""

    def text(self) -> str:
        """What is signed."""
        return (
            f"fieldbook audit v1\ngame {self.game}\nversion {self.version}\nhash {self.hash}\n"
            f"system {self.system} {self.system_version}\nengine {self.engine}\nresult {self.result}\n"
        )


def parse_audit_receipt(text: str) -> AuditReceipt:
    """Read the text of an audit receipt.

    Raises:
        NoteRefused: it is none.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise NoteRefused(
            "the text is no audit receipt: seven lines that name game, version, hash, system, engine and result"
        )
    return AuditReceipt(
        found["game"],
        int(found["version"]),
        found["hash"],
        found["system"],
        int(found["system_version"]),
        int(found["engine"]),
        found["result"],
    )
