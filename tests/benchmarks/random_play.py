"""Random play by the bare rules: a table that has begun, and what somebody does next, chosen from all that is legal.

The bots of `events.bots` see only what their seat may see, which takes them time; here chance sees all.
"""

import hashlib
import random

from events import commands as c
from events.bots.filling import fill_form
from events.commands import TakeSeat
from events.commands.leaving import LEAVING
from events.game.table import Table, new_table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.forms import Form, SayForm
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for

_MEDDLES = 0.5
"""How likely somebody acts for whom the game does not wait, while there is trading."""


def begun_table(game: str, system: str, players: int) -> tuple[Table, list[RecordedEvent]]:
    """A game that has just begun, and its log; what is dealt follows from the game's id."""
    table, log = new_table(
        game,
        system,
        players,
        options={},
        catalogue=shipped_catalogue(system_named(system).catalogue),
        secret=hashlib.sha256(game.encode()).hexdigest(),
        at=1,
    )
    for seat in range(players):
        table, seated = table.submit(HOST, TakeSeat(seat, f"Player {seat}", "human"), 1)
        log += seated
    return table, log


def random_command(rules: Rules, state: GameState, chance: random.Random) -> tuple[int, c.Command]:
    """Who acts next and how: one of all the legal commands of that seat, each as likely as the others.

    Talk is left out: it would be many cheap commands that change nothing.
    """
    awaited = chance.choice(waiting_for(state))
    meddles = state.phase == "trade" and chance.random() < _MEDDLES
    seat = chance.randrange(rules.players) if meddles else awaited
    legal = _serious(rules, state, seat)
    if not legal:
        seat, legal = awaited, _serious(rules, state, awaited)
    chosen = chance.choice(legal)
    return seat, chosen if isinstance(chosen, c.Command) else fill_form(chosen, chance)


def _serious(rules: Rules, state: GameState, seat: int) -> list[c.Command | Form]:
    return [each for each in legal_commands(rules, state, seat) if not isinstance(each, SayForm | LEAVING)]
