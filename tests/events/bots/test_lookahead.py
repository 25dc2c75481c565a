"""The bot that looks ahead: what it deals out agrees with what it knows, and nothing hidden changes what it does."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from events import commands as c
from events.bots import QUICK_BOTS, choose
from events.bots.lookahead.choices import choices_in
from events.bots.lookahead.dealing_out import deal_out, shown_by
from events.bots.lookahead.lookahead_bot import think
from events.bots.lookahead.search import Considered, best_of
from events.bots.memory import BotMemory
from events.bots.situation import Situation
from events.game.bot_driver import situation_of
from events.game.table import Table
from events.log.recorded import RecordedEvent
from events.rules.decide import decide
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from events.rules.table.veiled import veil
from service.simulation.self_play import self_play
from tests.events.bots.situations import moments_of
from tests.events.bots.test_hidden_cards import hidden_cards_permuted

SYSTEMS = {
    "classic": 3,
    "extended": 4,
    "bean-duel": 2,
    "ladybohn": 3,
    "ladybohn-expansion": 3,
    "the-duel": 2,
}


@cache
def _played(system: str) -> tuple[Table, list[RecordedEvent]]:
    return self_play(system, SYSTEMS[system], ("greedy",) * SYSTEMS[system], "ahead", {})


def _moments(system: str, every: int) -> Iterator[tuple[Table, BotMemory]]:
    end, log = _played(system)
    return (moment for moment in moments_of(end, log, every) if moment[0].state.status == "running")


def _veiled(situation: Situation) -> GameState:
    assert situation.table is not None
    return situation.table


def _cards(table: Table, state: GameState) -> Counter[str]:
    """Every card of the deck on a table."""
    cards = Counter((*state.draw_pile, *state.discard_pile, *state.box))
    cards.update(card for _, card in state.revealed)
    for seat in state.seats:
        cards.update(seat.coins)
        cards.update(card for _, card in (*seat.hand, *seat.aside))
        for field in seat.fields:
            cards.update(field)
    for lying in state.addition.deck_cards() if state.addition is not None else ():
        cards.update(lying)
    return cards


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_dealt_out_is_a_table_that_the_seat_cannot_tell_from_the_real_one(system: str) -> None:
    """It has all the cards of the deck, and veiled again it is what the seat knows; the view stays the same too."""
    chance, tried = random.Random(1), 0
    for table, memory in _moments(system, every=17):
        for seat in range(SYSTEMS[system]):
            situation = situation_of(table, memory, seat, alone=True)
            veiled = _veiled(situation)
            assert player_view(veiled, seat) == player_view(table.state, seat)
            dealt = deal_out(situation, veiled, chance)
            assert veil(dealt, seat) == veiled
            assert _cards(table, dealt) == _cards(table, table.state) == Counter(table.rules.deck)
            tried += 1
    assert tried > 15


@pytest.mark.parametrize("system", SYSTEMS)
def test_hidden_cards_do_not_change_a_choice(system: str) -> None:
    """Tables that a seat cannot tell apart are the same when they are veiled, so the choice is the same."""
    chance, differing, thought = random.Random(1), 0, 0
    for table, memory in _moments(system, every=7):
        seat = table.state.active
        situation = situation_of(table, memory, seat, alone=True)
        other = hidden_cards_permuted(table.state, seat, chance)
        differing += other != table.state
        assert veil(other, seat) == situation.table
        if thought < 2 and len(think(situation, random.Random(1), budget=0)) > 1:
            thought += 1
            elsewhere = situation_of(_at(table, other), memory, seat, alone=True)
            chosen = choose("lookahead", situation, "seed", table.version)
            assert chosen == choose("lookahead", elsewhere, "seed", table.version)
            assert chosen is not None
            assert decide(table.rules, table.state, seat, chosen)
    assert differing > 5
    assert thought == 2


def _at(table: Table, state: GameState) -> Table:
    return Table(table.rules, table.secret, table.key, state, table.version)


def test_cards_that_were_offered_are_in_that_hand() -> None:
    """Whoever offered a hand card in this turn, and has traded nothing since, holds it on every table dealt out."""
    shown = 0
    for table, memory in islice(_moments("classic", every=3), 150):
        seat = table.state.active
        situation = situation_of(table, memory, seat, alone=True)
        for other in range(3):
            if other != seat and (held := shown_by(situation, _veiled(situation), other)):
                hand = Counter(
                    card
                    for _, card in deal_out(situation, _veiled(situation), random.Random(1)).seats[other].hand
                )
                assert held <= hand
                assert held <= Counter(card for _, card in table.state.seats[other].hand)
                shown += 1
    assert shown > 5


def test_thoughts_say_what_is_expected_of_each_choice() -> None:
    """The bargainer's choice comes first; all were played on at the same tables; the best one is what is played."""
    thoughts = (
        think(situation_of(*moment, moment[0].state.active, alone=True), random.Random(7), budget=100)
        for moment in _moments("bean-duel", every=5)
    )
    considered = next(each for each in thoughts if len(each) > 2)
    assert len({len(each.coins) for each in considered}) == 1
    assert all(each.expected_coins >= 0 for each in considered)
    assert best_of(considered) in considered


def test_what_falls_behind_is_played_on_no_further() -> None:
    """The first choice is on every table; what was dropped, on the first ones, and it is not what is played."""
    dropped = 0
    for moment in islice(_moments("bean-duel", every=5), 20):
        situation = situation_of(*moment, moment[0].state.active, alone=True)
        considered = think(situation, random.Random(7), budget=400)
        tables = [len(each.leads) for each in considered]
        assert max(tables, default=0) == tables[0]
        fewer = [each for each in considered if len(each.leads) < tables[0]]
        assert best_of(considered) not in fewer
        dropped += len(fewer)
    assert dropped > 5


def test_where_there_is_trading_it_thinks_about_giving_up_and_buying_fields() -> None:
    """Everything else depends on bargaining, which thoughts leave out; there its first idea is played."""
    thought = 0
    for table, memory in _moments("classic", every=5):
        choices = choices_in(situation_of(table, memory, table.state.active, alone=True))
        if len(choices) > 1:
            assert isinstance(choices[0], c.Harvest | c.BuyField)
            assert table.state.phase != "trade"
            thought += 1
    assert thought > 2


def test_another_choice_has_to_be_clearly_better() -> None:
    """What is better on some tables and worse on others does not take the place of the first choice."""
    first = Considered(c.Reveal(), leads=[1.0, 1.0, 1.0, 1.0])
    unclear = Considered(c.Draw(), leads=[9.0, -7.0, 2.0, 1.5])
    clear = Considered(c.EndTrading(), leads=[1.5, 1.6, 1.4, 1.5])
    assert best_of([first, unclear]) is first
    assert best_of([first, unclear, clear]) is clear


def test_nothing_that_a_request_waits_for_is_left_to_it() -> None:
    """Clocks and branches have quick bots only."""
    assert "lookahead" not in QUICK_BOTS
