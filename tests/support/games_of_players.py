"""A whole game whose seats name players by their ids across games."""

import random
from typing import Final

from events import commands as c
from events.game.table import new_table
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from tests.support.recorded_games import RecordedGame, play_on

PLAYERS: Final = ("acme:ada", "acme:u-4711", "other.club:7~x")


def game_of_players() -> RecordedGame:
    """A whole game of two such players."""
    system = system_named("bean-duel")
    catalogue = shipped_catalogue(system.catalogue)
    table, log = new_table("players", system.key, 2, options={}, catalogue=catalogue, secret="5a" * 32, at=1)
    for seat in range(2):
        taken = c.TakeSeat(seat, f"Player {seat + 1}", "human", player=PLAYERS[seat])
        table, entries = table.submit(HOST, taken, 2)
        log += entries
    return RecordedGame(play_on(table, log, random.Random(1), 2, None), tuple(log))
