"""What became of a request: its entries and the game after them, and who is told of it to count it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from events.commands import Command
from events.game.clock import Clock
from events.log.disclosure import Disclosure
from events.log.recorded import RecordedEvent
from service.play.deciding import HiddenInformationRevealed, Refused
from service.play.tables import LoadedGame


class TooBusy(Exception):
    """Others were faster every time; nothing was appended and the request can be sent again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request brought about: its entries, and the game right after them or later.

    `applied` is how many of its commands count, and `stopped` why the one after them does not. A dry run has no
    entries of a last command that would turn up hidden cards: `withheld` says so.
    """

    loaded: LoadedGame
    entries: Sequence[RecordedEvent]
    disclosures: Sequence[Disclosure]
    """What the entries show to whom."""
    duplicate: bool = False
    withheld: bool = False
    applied: int = 0
    stopped: Refused | HiddenInformationRevealed | None = None
    clock: Clock | None = None
    """The game's clock right after the request; None where it has none."""

    @property
    def head(self) -> tuple[int, str]:
        """The game's version and chain head right after the request."""
        last = self.entries[-1] if self.entries else self.loaded.table
        return last.version, last.hash

    @property
    def version(self) -> int:
        """The game's version right after the request."""
        return self.head[0]

    @property
    def hash(self) -> str:
        """The chain head right after the request."""
        return self.head[1]


class CommandWatch(Protocol):
    """Is told what became of requests, to count it."""

    def count_commands(self, commands: Sequence[Command], outcome: str, place: int | None = None) -> None:
        """Commands sent together ended in an outcome; without `place` it is that of all of them.

        It is `accepted`, `repeated`, `tried` (a dry run), `stale`, `busy`, `failed`, or `refused`: then `place` is
        which of them was refused.
        """
        ...

    def count_append(self, seconds: float) -> None:
        """An append took so long, whether or not another one was faster."""
        ...
