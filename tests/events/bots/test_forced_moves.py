"""The moves that a clock forces are made again by every verifier, so a bot of one name makes the same for ever."""

import hashlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.bots.forced import forced_command
from events.log.codec import encode_command
from events.rules.table.waiting import waiting_for
from tests.laws.games import TABLES
from tests.support.clocked_games import BOTS, QUICK
from tests.support.strategies import Dice, opening, play_on

KNOWN = Path(__file__).parent / "forced_moves.txt"
"""System, players, the clock's bot, and a hash of the moves that it makes; never change a line, add another bot."""


def digest(system: str, players: int, bot: str) -> str:
    """A hash of what this bot would do for each seat that a random game waits for, at each of its tables."""
    made = hashlib.sha256()
    begun = opening("forced", players, {}, system=system)
    for step in play_on(begun.table, Dice(f"forced {system} {players}")):
        table, clock = step.before, replace(QUICK, bot=bot)
        state = replace(table.state, clock=clock)
        for seat in waiting_for(state):
            command = forced_command(table.rules, state, seat, "seed", table.version)
            made.update(b"\n" if command is None else encode_command(command) + b"\n")
    return made.hexdigest()[:16]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("system", "players"), TABLES)
def test_a_clocks_bot_moves_as_it_always_did(system: str, players: int, bot: str) -> None:
    """One that plays otherwise needs another name, or records with forced moves would not verify any more."""
    known = {tuple(line.split()[:3]): line.split()[3] for line in KNOWN.read_text().splitlines()}
    assert digest(system, players, bot) == known[system, str(players), bot]
