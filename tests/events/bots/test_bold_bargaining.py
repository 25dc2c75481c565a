"""How the bot that looks ahead bargains: like the greedy one, but it asks for more, and more often."""

from events import commands as c
from events import domain_events as e
from events.bots import choose
from events.bots.greedy.bargains import Bargaining
from events.bots.greedy.offering import trades
from events.bots.greedy.style import GREEDY, Style
from events.bots.lookahead.choices import BOLD
from events.bots.memory import BotMemory
from events.bots.situation import Situation
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from tests.events.bots.situations import bot_seat, greedy_choice, table_of
from tests.support.tables import seat_with

GROWING = bot_seat((), (("red",) * 2, ("chili",) * 5))
"""More red beans are welcome, and more chili beans."""


def _situation(
    table: tuple[Rules, GameState], memory: BotMemory | None = None, style: Style = GREEDY
) -> Situation:
    rules, state = table
    memory = memory or BotMemory()
    view, legal = player_view(state, 0), legal_commands(rules, state, 0)
    return Situation(rules, 0, view, legal, memory.offers_by(0), memory.seen_by(0), style=style)


def _choice(table: tuple[Rules, GameState], memory: BotMemory | None = None) -> c.Command | None:
    return choose("lookahead", _situation(table, memory), "seed", 1)


def test_it_asks_for_what_others_may_be_glad_to_be_rid_of() -> None:
    """It has nothing to give, and the greedy bot ends trading; what it grows may be in somebody's way."""
    table = table_of(GROWING, seat_with(("red",), (("blue",), ("soy",))))
    assert greedy_choice(table) == c.EndTrading()
    asked = _choice(table)
    assert isinstance(asked, c.Offer)
    assert set(asked.want) <= {"red", "chili"}
    assert (asked.hand, asked.revealed) == ((), ())


def test_it_thinks_of_asking_for_a_bean_more_than_it_gives() -> None:
    """For the revealed green bean it may want two of what it grows; the greedy bot wants one at most."""
    table = table_of(GROWING, seat_with(("red",) * 5, (("green",), ("soy",))), revealed=("green",))
    asked = {
        style: {sum(offer.want.values()) for offer in trades(Bargaining(_situation(table, style=style)))}
        for style in (GREEDY, BOLD)
    }
    assert asked == {GREEDY: {1}, BOLD: {1, 2}}


def test_it_asks_no_more_often_than_its_allowance() -> None:
    """Then it gives something away, or ends trading."""
    made = [
        e.OfferMade(number, 0, None, revealed=(1,), want={"soy": number})
        for number in range(1, BOLD.trades_in_a_turn + 1)
    ]
    table = table_of(GROWING, seat_with(("red",), (("blue",), ("soy",))))
    almost = BotMemory().follow([e.TurnBegan(0, 1), *made[:-1]])
    assert isinstance(_choice(table, almost), c.Offer)
    assert _choice(table, almost.follow(made[-1:])) == c.EndTrading()
