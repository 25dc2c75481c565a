"""The caller's legal commands as the engine's own structs: commands ready to send, and forms to fill in."""

from typing import Any, Final, get_args

import msgspec

from events.commands import Command
from events.log.codec import SEAT_COMMAND_TYPES
from events.rules.definition.forms import Form
from replay.client.answer import Answer
from replay.client.clocks import Clock

_FORMS: Final = frozenset(each.__struct_config__.tag for each in get_args(Form))


class LegalCommands(Answer, frozen=True):
    """What the caller may send at this version."""

    game: str
    version: int
    hash: str
    status: str
    seat: int
    waiting_for: tuple[int, ...]
    commands: tuple[dict[str, Any], ...]
    """As the service lists them, those of a newer release among them."""
    clock: Clock | None = None
    """In a game that is played with one."""

    @property
    def awaited(self) -> bool:
        """Whether the game waits for this seat."""
        return self.seat in self.waiting_for

    @property
    def ready(self) -> list[Command]:
        """What can be sent as it is."""
        return [
            msgspec.convert(each, SEAT_COMMAND_TYPES[each["type"]])
            for each in self.commands
            if "form" not in each and each["type"] in SEAT_COMMAND_TYPES
        ]

    @property
    def forms(self) -> list[Form]:
        """What can be filled in; the form says with what."""
        return [
            msgspec.convert({"type": each["type"], **each["form"]}, Form)
            for each in self.commands
            if "form" in each and each["type"] in _FORMS
        ]
