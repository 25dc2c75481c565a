"""Which bot acts next, and how: scheduling over a Table, without clock, store or chance of its own.

While there is trading, and wherever bonus cards can be claimed at any moment, the other bots are asked first, from
the active player's left, and then the active player's bot; when cards lie aside, whoever has to plant some; else
the active player. Where somebody else trades, a bot that wants nothing more says so. As long as the game
waits for bots alone and expects no answer from others, somebody always acts: where a bot has nothing to say,
the simplest command that moves the game on is played for it.
"""

from collections.abc import Callable, Iterator

from events import commands as c
from events.bots import choose
from events.bots.going_on import go_on
from events.bots.memory import BotMemory
from events.bots.situation import Situation
from events.commands.leaving import LEAVING
from events.game.forcing import bot_seed
from events.game.table import Table
from events.rules.definition.forms import Form
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from events.rules.table.veiled import veil
from events.rules.table.waiting import is_held_up, waiting_for

CLAIMS: tuple[type[c.Command], ...] = (c.ClaimBonus,)
"""What anybody may want to claim at any moment."""


def next_bot_command(
    table: Table,
    memory: BotMemory,
    *,
    alone: bool,
    may_send: Callable[[Table, int, c.Command], bool] = lambda _table, _seat, _command: True,
) -> tuple[int, c.Command] | None:
    """The seat of the bot that acts next and its command; None when others have to act, or nobody has to.

    `alone` says that no further answers are to be expected now. Where bots wait for nobody that is always so.
    A bot has nothing to say where it may not send what it would, such as one offer more.
    """
    if is_held_up(table.state):
        return None
    awaited = waiting_for(table.state)
    alone = alone or not expected_seats(table.state)
    for seat in _order_bots(table, awaited):
        command = _command(table, memory, seat, alone=alone)
        if command is None or not may_send(table, seat, command):
            command = _say_ready(table, seat)
        if command is not None:
            return seat, command
    if alone and awaited and all(table.state.seats[seat].bot for seat in awaited):
        command = go_on(_playable(table, awaited[0]))
        return None if command is None else (awaited[0], command)
    return None


def expected_seats(state: GameState) -> frozenset[int]:
    """The seats that bots wait for, unless they are ready: people, and programs where the table has patience."""
    kinds = {"bot"} if state.program_patience else {"bot", "program"}
    return frozenset(
        seat
        for seat, player in enumerate(state.seats)
        if player.kind not in kinds and seat not in state.ready
    )


def situation_of(table: Table, memory: BotMemory, seat: int, *, alone: bool) -> Situation:
    """What the bot on this seat is told."""
    return Situation(
        rules=table.rules,
        seat=seat,
        view=player_view(table.state, seat),
        legal=_playable(table, seat),
        offers_made=memory.offers_by(seat),
        turn_events=memory.seen_by(seat),
        alone=alone,
        expected=expected_seats(table.state),
        table=veil(table.state, seat),
    )


def _playable(table: Table, seat: int) -> list[c.Command | Form]:
    """What the seat may send that plays: to leave, to come back or to end the game is not for a bot."""
    legal = legal_commands(table.rules, table.state, seat)
    return [each for each in legal if not isinstance(each, LEAVING)]


def _order_bots(table: Table, awaited: tuple[int, ...]) -> Iterator[int]:
    """The bots to ask, in order."""
    state = table.state
    players = len(state.seats)
    trading = bool(awaited) and state.phase == "trade"
    everybody = trading or (bool(awaited) and any(kind in table.rules.system.any_time for kind in CLAIMS))
    others = tuple((state.active + step) % players for step in range(1, players)) if everybody else ()
    return (seat for seat in (*others, *awaited) if state.seats[seat].bot)


def _command(table: Table, memory: BotMemory, seat: int, *, alone: bool) -> c.Command | None:
    player = table.state.seats[seat]
    seed = bot_seed(table.key, seat) if player.away else memory.bot_seeds.get(seat, "")
    return choose(player.bot, situation_of(table, memory, seat, alone=alone), seed, table.version)


def _say_ready(table: Table, seat: int) -> c.Command | None:
    """Bots that trade among themselves wait for no bot, so they need not say it."""
    state = table.state
    if state.phase != "trade" or state.seats[state.active].bot or seat in (state.active, *state.ready):
        return None
    return c.Ready()
