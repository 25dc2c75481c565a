"""What a dataset says of who played: the names in the records, or pseudonyms, and then no free text either."""

from dataclasses import dataclass

from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.commands import Command
from events.domain_events import DomainEvent
from replay.across.pseudonyms import pseudonym
from replay.platform.safe_text import safe

LONGEST_NAME = 100
"""Characters of a name at most."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names as they are, or replaced.

    With a key every name is a pseudonym, and what people wrote freely is empty: seeds, what was said at the table,
    why and on what an arbiter ruled.

    Attributes:
        key: the key of the pseudonyms; empty for names as they are.
    """

    key: bytes = b""

    def name(self, name: str) -> str:
        """What stands for a name."""
        return pseudonym(self.key, name) if self.key else safe(name, LONGEST_NAME)

    def player(self, player: str) -> str:
        """What stands for a player's id; nothing for none."""
        return self.name(player) if player else ""

    def event(self, event: DomainEvent) -> DomainEvent:
        """The event without the names that are replaced."""
        if not self.key:
            return event
        match event:
            case e.SeatTaken():
                return replace(event, name=self.name(event.name), seed="", player=self.player(event.player))
            case e.Talked():
                return replace(event, text="")
            case e.RulingMade():
                return replace(event, arbiter=self.name(event.arbiter), scope="", reason="")
        return event

    def command(self, command: Command) -> Command:
        """The command without the names that are replaced."""
        if not self.key:
            return command
        match command:
            case c.TakeSeat():
                return replace(
                    command, name=self.name(command.name), seed="", player=self.player(command.player)
                )
            case c.Say():
                return replace(command, text="")
            case c.RuleGame():
                return replace(command, arbiter=self.name(command.arbiter), scope="", reason="")
        return command
