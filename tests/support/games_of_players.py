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


def game_of_players(system: str = "bean-duel", players: int = 2, stop_at: int | None = None) -> RecordedGame:
    """A whole game of such players; with `stop_at` it is left when its log has that many entries."""
    catalogue = shipped_catalogue(system_named(system).catalogue)
    table, log = new_table(
        "players", system, players, options={}, catalogue=catalogue, secret="5a" * 32, at=1
    )
    for seat in range(players):
        taken = c.TakeSeat(seat, f"Player {seat + 1}", "human", player=PLAYERS[seat])
        table, entries = table.submit(HOST, taken, 2)
        log += entries
    return RecordedGame(play_on(table, log, random.Random(1), 2, stop_at), tuple(log))
