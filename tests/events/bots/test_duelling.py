"""Bots in `the-duel`: their games end, greedy ones win, and nobody plays on what is hidden."""

from collections import Counter
from functools import cache

import pytest

from events import domain_events as e
from events.game.table import Table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from service.simulation.self_play import self_play
from tests.support.depth import depth
from tests.support.tables import all_cards

RANDOM_GAMES, CONTESTS = depth(10, 30), depth(20, 40)
MOST_COMMANDS = 600
"""No game of two bots takes so many commands."""


@cache
def duel(first: str, second: str, seed: int) -> tuple[Table, list[RecordedEvent]]:
    """A game of these bots."""
    return self_play("the-duel", 2, (first, second), f"{first} {second} {seed}", {"start_seat": seed % 2})


@pytest.mark.deep
def test_games_of_random_bots_end_and_keep_every_card() -> None:
    """Thirty in the long run: within a bound, with all 104 beans and all 32 bonus cards."""
    for seed in range(RANDOM_GAMES):
        table, log = duel("random", "random", seed)
        assert table.state.status == "finished"
        assert sum(entry.actor.startswith("seat:") and bool(entry.command) for entry in log) < MOST_COMMANDS
        assert all_cards(table.state) == Counter(table.rules.deck)


@pytest.mark.deep
def test_a_greedy_bot_beats_a_random_one() -> None:
    """On either seat, whoever begins: at least nine games in ten."""
    wins = 0
    for seed in range(CONTESTS):
        bots = ("greedy", "random") if seed % 4 < 2 else ("random", "greedy")
        result = duel(*bots, seed)[0].state.result
        assert result is not None
        wins += bots.index("greedy") in result.winners
    assert wins >= 0.9 * CONTESTS


def test_greedy_bots_use_what_the_game_offers() -> None:
    """Gifts given and refused, bluffs called, bonus cards claimed on both turns."""
    found = Counter[str]()
    for seed in range(10):
        table, log = duel("greedy", "greedy", seed)
        found.update(entry.type for entry in log)
        assert table.state.status == "finished"
    assert found["gift_given"] > 50
    assert found["bonus_claimed"] > 10
    assert found["gift_offered"] > found["gift_accepted"]


def test_the_same_seed_gives_the_same_duel() -> None:
    """Entry for entry."""
    table, log = duel("greedy", "random", 1)
    again, entries = self_play("the-duel", 2, ("greedy", "random"), "greedy random 1", {"start_seat": 1})
    assert (again.hash, entries) == (table.hash, log)
    assert isinstance(decode_event(log[-1]), e.SecretRevealed)
