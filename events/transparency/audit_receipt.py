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

from dataclasses import dataclass
from typing import Final

AGREES: Final = "agrees"
DIFFERS: Final = "differs"
INVALID: Final = "invalid"
UNKNOWN_SYSTEM: Final = "unknown"
"""Stands for the rule system of a game whose record does not say so."""


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
