"""The picture on the first page: a table in the middle of a game, as one of its players sees it.

It is no drawing: bots have played that far by the rules, always the same way, and the page draws it as it draws every
table.
"""

import hashlib
from functools import cache
from typing import Any, Final

from events.bots.memory import BotMemory
from events.commands import TakeSeat
from events.game.bot_driver import next_bot_command
from events.game.table import Table, new_table
from events.log.codec import decode_event
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.exports.page.scene import Scenes

SYSTEM: Final = "classic"
PLAYERS: Final = ("Ada", "Bob", "Cleo")
VIEWER: Final = 0
"""The seat through whose eyes it is seen; it is its turn."""
BOT: Final = "greedy"
TURN: Final = 7
"""By then something grows in most fields."""
SEED: Final = "picture"


def picture(language: str) -> dict[str, Any]:
    """The cards and the parts of the table, in a language, as `GET /v1/games/{game}/scene` has them."""
    table = _table()
    catalogue = table.rules.catalogue
    tell = Commentary(catalogue, language)
    cards = Cards.of_catalogue(tell, catalogue)
    scene = Scenes(tell, cards, table.rules).scene(table.state, table.state.phase)
    names = {f"{seat}.who": name for seat, name in enumerate(PLAYERS)}
    hands = {
        f"{seat}.hand": len(table.state.seats[seat].hand) for seat in range(len(PLAYERS)) if seat != VIEWER
    }
    seen = {name: part for name, part in scene.items() if name != "next"}
    return {"cards": cards.known, "seat": VIEWER, "scene": seen | names | hands}


@cache
def _table() -> Table:
    """The table on which somebody trades in this turn."""
    catalogue = shipped_catalogue(system_named(SYSTEM).catalogue)
    table, entries = new_table(
        SEED, SYSTEM, len(PLAYERS), options={}, catalogue=catalogue, secret=_derive("secret"), at=1
    )
    for seat, name in enumerate(PLAYERS):
        table, seated = table.submit(HOST, TakeSeat(seat, name, "bot", BOT, _derive(name)), 1)
        entries += seated
    memory = BotMemory().follow(map(decode_event, entries))
    while not (table.state.turn >= TURN and table.state.offers):
        step = next_bot_command(table, memory, alone=True)
        if step is None:
            break
        table, happened = table.submit(*step, 1)
        memory = memory.follow(map(decode_event, happened))
    return table


def _derive(purpose: str) -> str:
    return hashlib.sha256(f"{SEED}/{purpose}".encode()).hexdigest()
