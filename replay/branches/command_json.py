"""Commands that come from outside, as JSON: read in the one way there is, within bounds, and never the dealer's."""

from typing import Any, Final

from events.commands import Command
from events.commands.table import ChooseStartingSeat, RevealSecret, Shuffle
from events.log.codec import decode_command
from events.log.upcasting import UndecodableEvent
from replay.branches.errors import BranchError
from replay.platform.safe_text import safe
from replay.records.shape import LARGEST

LONGEST_COMMAND: Final = 4_096
"""Bytes of a command as JSON at most."""
_DEALERS: Final = (Shuffle, ChooseStartingSeat, RevealSecret)
_SHOWN: Final = 200


class BadCommand(BranchError):
    """This is no command that can stand in a branch."""


def command_in_json(written: bytes) -> Command:
    """The command of a seat, or of a moderator, written as JSON.

    Raises:
        BadCommand: it cannot be read, is too large, or is the dealer's.
    """
    if len(written) > LONGEST_COMMAND:
        raise BadCommand(f"A command has at most {LONGEST_COMMAND} bytes.")
    try:
        command = decode_command(written)
    except (UndecodableEvent, ValueError, OverflowError) as error:
        raise BadCommand(f"This command cannot be read ({safe(str(error), _SHOWN)}).") from error
    if isinstance(command, _DEALERS):
        raise BadCommand("The dealer's commands follow from the branch; nobody gives them.")
    if not all(_is_small(getattr(command, name)) for name in command.__struct_fields__):
        raise BadCommand(f"A number in a command is at most {LARGEST}.")
    return command


def _is_small(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_small(each) for each in value.values())
    if isinstance(value, tuple | list):
        return all(_is_small(each) for each in value)
    return not isinstance(value, int) or abs(value) <= LARGEST
