"""The move that a bot makes for a seat whose time is over: what the game waits for, and nothing besides.

It is told less than a bot at the table: nothing of what was said and offered before. So the move follows from the
table, the seed and the version alone, and whoever has the log can make it again.
"""

from typing import get_args

from events import commands as c
from events.bots import choose
from events.bots.going_on import go_on
from events.bots.situation import Situation
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState

TRADE = "trade"
_FREE = frozenset({c.BuyField, *get_args(c.TAKE_BACKS), *get_args(c.LEAVING)})


def forced_command(rules: Rules, state: GameState, seat: int, seed: str, version: int) -> c.Command | None:
    """What the clock's bot does for this seat at this version; None where nothing can be done."""
    clock = state.clock
    if clock is None:
        return None
    trading = rules.phases.get(TRADE)
    left_out = _FREE if trading is None else _FREE | (trading.rules.keys() - {c.EndTrading})
    legal = [
        each
        for each in legal_commands(rules, state, seat)
        if isinstance(each, c.Command) and type(each) not in left_out
    ]
    situation = Situation(rules=rules, seat=seat, view=player_view(state, seat), legal=[*legal])
    chosen = choose(clock.bot, situation, seed, version)
    return chosen if chosen in legal else go_on(legal)
