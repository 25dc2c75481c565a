"""Bots in `ladybohn-expansion`: every game ends, the greedy bot beats random ones, and acceptances are sound."""

import random

import pytest

from events.bots.filling import fill_form
from events.domain_events import CoinsLevied, HandSwapped, RevealedPutOnFan, TradeMade
from events.log.codec import decode_event
from events.rules.definition.forms import AcceptForm, Payment, matches
from service.simulation.self_play import self_play
from tests.support.depth import depth
from tests.support.strategies import Dice, fill

SYSTEM = "ladybohn-expansion"
RANDOM_GAMES, CONTESTS = depth(3, 10), depth(4, 8)
GREEDY_GAMES = depth(2, 4)


@pytest.mark.deep
@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_bots_finish_every_game(players: int) -> None:
    """Ten games each in the long run; hands are swapped and fans fed."""
    happened = set()
    for number in range(RANDOM_GAMES):
        options = {"bean_protection": ("lenient", "strict")[number % 2], "start_seat": "random"}
        table, log = self_play(SYSTEM, players, ("random",) * players, f"random/{number}", options)
        assert table.state.status == "finished"
        happened |= {type(decode_event(entry)) for entry in log}
    assert {HandSwapped, RevealedPutOnFan, TradeMade} <= happened


@pytest.mark.deep
def test_the_greedy_bot_beats_random_ones() -> None:
    """On every seat of tables for three and four."""
    won = 0
    for number in range(CONTESTS):
        players = 3 + number % 2
        seat = number // 2 % players
        bots = tuple("greedy" if each == seat else "random" for each in range(players))
        table, _ = self_play(SYSTEM, players, bots, f"mixed/{number}", {})
        assert table.state.result is not None
        won += table.state.result.winners == (seat,)
    assert won >= CONTESTS - 1


@pytest.mark.deep
def test_greedy_bots_among_themselves_come_to_levies() -> None:
    """Make-up beans are worth growing to them."""
    levied = 0
    for number in range(GREEDY_GAMES):
        table, log = self_play(SYSTEM, 4, ("greedy",) * 4, f"greedy/{number}", {})
        assert table.state.status == "finished"
        levied += sum(isinstance(decode_event(entry), CoinsLevied) for entry in log)
    assert levied


def test_payments_with_cards_in_common_are_filled_soundly() -> None:
    """No card pays twice, whoever fills the form."""
    form = AcceptForm(1, (), (Payment("blue_female", 1, (1, 2)), Payment("blue", 2, (1, 2, 3), (7,))))
    for seed in range(50):
        assert matches(form, fill_form(form, random.Random(seed)))
        assert matches(form, fill(form, Dice(seed)))
