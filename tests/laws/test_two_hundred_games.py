"""Two hundred random games: the 104 cards are conserved at every version."""

from collections import Counter

import pytest

from tests.support.strategies import bare_game, opening, option_sets
from tests.support.tables import all_cards

GAMES = 200


@pytest.mark.parametrize("game", range(GAMES))
def test_a_random_game_conserves_cards_at_every_version_and_ends(game: int) -> None:
    """No card appears, vanishes or changes, whatever is played; and the game comes to its end."""
    players = 3 + game % 3
    options = option_sets(players)[game // 3 % len(option_sets(players))]
    begun = opening(game, players, options).table
    deck, version, last = Counter(begun.rules.deck), begun.version, begun.state
    assert all_cards(last) == deck
    for move in bare_game(game, players, options):
        for event, state in zip(move.events, move.states, strict=True):
            version += 1
            assert all_cards(state) == deck, f"version {version}, {event}"
        last = move.state
    assert last.status == "finished"
    assert last.exhaustions == 3
    assert sum(deck.values()) == 104
