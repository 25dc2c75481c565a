"""Every registered rule system can be played by bots: random ones come to the end, greedy ones win."""

from collections import Counter

import pytest

from events.rules.systems.registry import BY_KEY
from replay.across.intervals import wilson
from service.simulation.self_play import self_play
from tests.support.depth import depth
from tests.support.tables import all_cards

RANDOM_GAMES = depth(5, 30)
CONTESTS = depth(6, 12)
MOST_ENTRIES = 4_000
"""No game among bots has so many entries."""

every_system = pytest.mark.parametrize("system", BY_KEY)


def seats(system: str, game: int) -> int:
    """How many play the game of this number: each number of players in turn."""
    players = BY_KEY[system].players
    return players[game % len(players)]


@pytest.mark.deep
@every_system
def test_random_bots_come_to_the_end(system: str) -> None:
    """Games of random bots, thirty in the long run, end within a bound, with every card still there."""
    for game in range(RANDOM_GAMES):
        players = seats(system, game)
        table, log = self_play(system, players, ("random",) * players, f"random {game}", {})
        assert table.state.status == "finished"
        assert len(log) < MOST_ENTRIES
        assert all_cards(table.state) == Counter(table.rules.deck)


@pytest.mark.deep
@every_system
def test_a_greedy_bot_beats_random_ones(system: str) -> None:
    """One greedy bot among random ones, on every seat in turn: the 95 % interval of its wins excludes chance."""
    wins = 0
    for game in range(CONTESTS):
        players = seats(system, game)
        greedy = game // len(BY_KEY[system].players) % players
        bots = ["greedy" if seat == greedy else "random" for seat in range(players)]
        result = self_play(system, players, bots, f"contest {game}", {})[0].state.result
        wins += result is not None and greedy in result.winners
    least, _ = wilson(wins, CONTESTS)
    assert least > 1 / min(BY_KEY[system].players)
