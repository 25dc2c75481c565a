"""The moves that a clock forces are made again by every verifier, so a bot of one name makes the same for ever."""

import hashlib
from pathlib import Path

import pytest

from events.log.recorded import RecordedEvent
from tests.laws.games import TABLES
from tests.support.clocked_games import BOTS, ClockedGame

KNOWN = Path(__file__).parent / "forced_moves.txt"
"""System, players, the clock's bot, and a hash of all moves that it made; never change a line, add another bot."""
GAMES = 4


def digest(system: str, players: int, bot: str) -> str:
    """A hash of the forced commands of some games in which the first seat is silent."""
    made = hashlib.sha256()
    for seed in range(BOTS.index(bot), GAMES * len(BOTS), len(BOTS)):
        game = ClockedGame(seed, system, players).play(frozenset({0}))
        for command in forced(game.log):
            made.update(command + b"\n")
    return made.hexdigest()[:16]


def forced(log: list[RecordedEvent]) -> list[bytes]:
    """The commands of the first seat that stand behind an expiry, at its moment."""
    found, at = [], -1
    for entry in log:
        if entry.type == "time_expired":
            at = entry.at
        elif entry.command and entry.actor == "seat:0" and entry.at == at:
            found.append(entry.command)
    return found


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("system", "players"), TABLES)
def test_a_clocks_bot_moves_as_it_always_did(system: str, players: int, bot: str) -> None:
    """One that plays otherwise needs another name, or records with forced moves would not verify any more."""
    known = {tuple(line.split()[:3]): line.split()[3] for line in KNOWN.read_text().splitlines()}
    assert digest(system, players, bot) == known[system, str(players), bot]
