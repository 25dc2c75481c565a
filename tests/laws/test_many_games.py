"""Two hundred random games and more: the cards are conserved at every version, and every game ends."""

from collections import Counter

import pytest

from tests.laws.games import TABLES
from tests.support.strategies import bare_game, opening, option_sets
from tests.support.tables import all_cards

GAMES = 216
"""Shared evenly among all systems and numbers of players."""


@pytest.mark.parametrize("game", range(GAMES))
def test_a_random_game_conserves_cards_at_every_version_and_ends(game: int) -> None:
    """No card appears, vanishes or changes, whatever is played; and the game comes to its end."""
    system, players = TABLES[game % len(TABLES)]
    ways = option_sets(players, system)
    begun = opening(game, players, ways[game // len(TABLES) % len(ways)], system=system).table
    deck, version, last = Counter(begun.rules.deck), begun.version, begun.state
    assert all_cards(last) == deck
    for move in bare_game(begun, game):
        for event, state in zip(move.events, move.states, strict=True):
            version += 1
            assert all_cards(state) == deck, f"version {version}, {event}"
        last = move.state
    assert last.status == "finished"
    assert last.exhaustions == begun.rules.setup.exhaustions
