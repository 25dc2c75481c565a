"""Games of a duplicate round for tests: the same deal at each table, and random play that differs."""

import random
from dataclasses import replace
from functools import cache

from events import commands as c
from events.commands.dealing import DUPLICATE, Dealing
from events.game.table import new_table
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from tests.support.recorded_games import BEGINNING, NAMES, RecordedGame, later, play_on

SECRET = "5e" * 32
"""The secret of the round."""
DEAL = Dealing(DUPLICATE, "spring-1")
RANDOM_START = (("start_seat", "random"),)


@cache
def closed_table(
    game: str,
    seed: int,
    *,
    system: str = "classic",
    players: int = 4,
    options: tuple[tuple[str, str | int | bool], ...] = RANDOM_START,
    secret: str = SECRET,
    dealing: Dealing | None = DEAL,
    stop_at: int | None = None,
    most_offers: int = 12,
    bot: bool = True,
) -> RecordedGame:
    """A game of the round played to its end, its secret closed; the same arguments give the same game.

    Random legal commands follow from `seed`; with `stop_at` the game is left when its log has that many entries;
    with `bot` one plays the last seat.
    """
    chance = random.Random(seed)
    table, log = new_table(
        game,
        system,
        players,
        options=dict(options),
        catalogue=shipped_catalogue(system_named(system).catalogue),
        secret=secret,
        at=BEGINNING,
        dealing=dealing,
    )
    for seat, name in enumerate(NAMES[:players]):
        command = c.TakeSeat(seat, name, "human")
        if bot and seat == players - 1:
            command = c.TakeSeat(seat, name, "bot", "random", "7")
        table, entries = table.submit(HOST, command, later(log, chance))
        log += entries
    return RecordedGame(play_on(table, log, chance, most_offers, stop_at), tuple(log))


def opened(game: RecordedGame) -> RecordedGame:
    """The same game once the round is over."""
    table, entries = game.table.open_secret(game.log[-1].at + 1)
    return replace(game, table=table, log=(*game.log, *entries))


@cache
def open_table_of_round(game: str, seed: int, system: str = "classic", players: int = 4) -> RecordedGame:
    """A finished game of the round."""
    return opened(closed_table(game, seed, system=system, players=players))
