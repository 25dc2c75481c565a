"""What can be played in a branch now: the commands that are ready to send have numbers, forms are to be filled in."""

from dataclasses import dataclass

import msgspec

from events.commands import Command
from events.commands.leaving import LEAVING
from events.log.disclosure import ALL
from events.rules.definition.forms import Form
from events.rules.legal import legal_commands
from events.rules.table.waiting import waiting_for
from replay.branches.branch import Branch
from replay.branches.command_json import BadCommand, command_in_json
from replay.branches.errors import BranchError
from replay.branches.playing import Position


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a seat may do."""

    number: int | None
    """What to choose it by; None for a form."""
    seat: int
    command: Command | Form


def choices(position: Position, viewer: int) -> list[Choice]:
    """What a seat may play here; for who sees all, what each seat may play, those waited for first.

    Leaving, and ending the game together, is not listed, and can be written as JSON.
    """
    players = position.rules.players
    awaited = waiting_for(position.state)
    every = (*awaited, *(seat for seat in range(players) if seat not in awaited))
    seats = every if viewer == ALL else tuple(seat for seat in every if seat == viewer)
    found: list[Choice] = []
    number = 0
    for seat in seats:
        legal = legal_commands(position.rules, position.state, seat)
        for each in (each for each in legal if not isinstance(each, LEAVING)):
            number += isinstance(each, Command)
            found.append(Choice(number if isinstance(each, Command) else None, seat, each))
    return found


def parse_choice(branch: Branch, viewer: int, written: str) -> tuple[int, Command]:
    """The seat and the command of a choice: its number, or the command as JSON.

    JSON is a command, of the viewer's seat or the only one that is waited for, or `{"seat": 1, "command": {...}}`.

    Raises:
        BranchError: it says nothing that can be played.
    """
    text = written.strip()
    if text.isascii() and text.isdigit():
        for each in choices(branch.position, viewer):
            if each.number == int(text[:9]) and isinstance(each.command, Command):
                return each.seat, each.command
        raise BadCommand(f"There is no number {text[:9]} among what can be played here.")
    try:
        read = msgspec.json.decode(text.encode(), type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError) as error:
        raise BadCommand(
            'Name a number of the list, or a command such as {"type":"draw"} or {"seat":1,"command":{"type":"draw"}}.'
        ) from error
    if set(read) == {"seat", "command"}:
        return _seat(bytes(read["seat"])), command_in_json(bytes(read["command"]))
    return _find_awaited_seat(branch, viewer), command_in_json(text.encode())


def _seat(written: bytes) -> int:
    if not written.isdigit() or len(written) > 1 + written.startswith(b"1"):
        raise BadCommand("A seat is a number, such as 1.")
    return int(written)


def _find_awaited_seat(branch: Branch, viewer: int) -> int:
    if viewer >= 0:
        return viewer
    awaited = waiting_for(branch.position.state)
    if len(awaited) == 1:
        return awaited[0]
    raise BranchError('Say whose command it is: {"seat":1,"command":{...}}.')
