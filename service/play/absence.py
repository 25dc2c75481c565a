"""Whose commands count for a seat that was left: the bot's that plays on; who has left can only come back.

The rules know one seat; who it is that speaks for it only the service knows.
"""

from typing import Final

from events.commands import ComeBack, Command, Say
from events.game.table import Table
from events.rules.definition.forms import Form
from events.rules.errors import RuleViolation

OPEN_TO_WHO_LEFT: Final = (ComeBack, Say)
"""What who has left a seat can still send."""


class SeatTakenOver(RuleViolation):
    """Who sends the command has left the seat, and a bot plays on for it."""


def is_away(table: Table, seat: int) -> bool:
    """Whether a bot plays this seat for who has left it."""
    return 0 <= seat < len(table.state.seats) and bool(table.state.seats[seat].away)


def check_presence(table: Table, seat: int, command: Command) -> None:
    """Refuse what somebody sends for a seat that they have left, but that they come back, and talk.

    Raises:
        SeatTakenOver
    """
    if is_away(table, seat) and not isinstance(command, OPEN_TO_WHO_LEFT):
        raise SeatTakenOver(
            f"You have left seat {seat}, and the bot {table.state.seats[seat].bot} plays on. Send 'come_back' to"
            " play yourself again; until then nothing else of yours but talk is accepted."
        )


def is_open(table: Table, seat: int, command: Command | Form) -> bool:
    """Whether who holds the seat's token may send what the rules allow the seat."""
    kind = type(command) if isinstance(command, Command) else command.command
    return not is_away(table, seat) or kind in OPEN_TO_WHO_LEFT
