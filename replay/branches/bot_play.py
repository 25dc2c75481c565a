"""Letting bots play on in a branch: they see what their seat sees, and their chance follows from its seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from events.bots import BOTS
from events.commands import Command
from events.game.bot_driver import next_bot_command
from events.game.table import Table
from replay.branches.branch import MOST_COMMANDS, Branch, GoOn, for_ever
from replay.branches.chance import bot_seed
from replay.branches.errors import BranchError

Until = Literal["turn", "end"]
Stopped = Literal["turn", "end", "commands", "people", "time", "full"]
"""Why the bots play no further: the next turn has begun, the game is over, as many commands as were asked for are
played, a seat without a bot has to act, there is no more time, or the branch has as many commands as it may have."""
UNTIL: Final[tuple[Until, ...]] = ("turn", "end")


class BadBots(BranchError):
    """There is no such bot, or the number of bots does not fit the table."""


@dataclass(frozen=True, slots=True)
class BotsPlayed:
    """What came of letting bots play."""

    branch: Branch
    commands: int
    """How many commands they have played."""
    stopped: Stopped


def play_bots(
    branch: Branch,
    bots: Sequence[str | None],
    until: Until = "end",
    most: int = MOST_COMMANDS,
    go_on: GoOn = for_ever,
) -> BotsPlayed:
    """Let bots play on from here; `bots` names the bot of each seat, a single one takes all; None is a person's seat.

    Raises:
        BadBots: there is no such bot, or not as many as there are seats.
    """
    seated = seated_bots(branch, bots)
    turn, commands = branch.position.state.turn, 0
    while True:
        state = branch.position.state
        stopped: Stopped | None = None
        if state.status != "running":
            stopped = "end"
        elif until == "turn" and state.turn != turn:
            stopped = "turn"
        elif commands >= most:
            stopped = "commands"
        elif len(branch.nodes) >= MOST_COMMANDS:
            stopped = "full"
        elif not go_on():
            stopped = "time"
        chosen = None if stopped else _next(branch, seated)
        if chosen is None:
            return BotsPlayed(branch, commands, stopped or "people")
        branch = branch.play(*chosen)
        commands += 1


def seated_bots(branch: Branch, bots: Sequence[str | None]) -> tuple[str | None, ...]:
    """The bot of each seat.

    Raises:
        BadBots: there is no such bot, or not as many as there are seats.
    """
    players = branch.origin.rules.players
    unknown = next((bot for bot in bots if bot is not None and bot not in BOTS), None)
    if unknown is not None:
        raise BadBots(f"There is no bot {unknown[:40]!r}; there are: {', '.join(BOTS)}.")
    seated = tuple(bots) * players if len(bots) == 1 else tuple(bots)
    if len(seated) != players:
        raise BadBots(f"Name one bot for all seats, or one for each of the {players} seats.")
    return seated


def _next(branch: Branch, seated: Sequence[str | None]) -> tuple[int, Command] | None:
    """What the bots' table does next: the branch's, with these bots on its seats."""
    position = branch.position
    seats = tuple(
        msgspec.structs.replace(seat, kind="human" if bot is None else "bot", bot=bot or "", away="")
        for seat, bot in zip(position.state.seats, seated, strict=True)
    )
    state = msgspec.structs.replace(position.state, seats=seats)
    seeds = {seat: bot_seed(branch.key, seat) for seat, bot in enumerate(seated) if bot is not None}
    memory = replace(position.memory, bot_seeds=MappingProxyType(seeds))
    return next_bot_command(Table(position.rules, "", b"", state, position.version), memory, alone=True)
