"""Two hundred random games, each read back from its log: the 104 cards are conserved at every version."""

from collections import Counter

import pytest

from events.codec import decode_event
from events.rules.evolve import evolve
from events.rules.state import INITIAL_STATE
from tests.support.strategies import Dice, opening, option_sets, play_on
from tests.support.tables import all_cards

GAMES = 200


@pytest.mark.parametrize("game", range(GAMES))
def test_a_random_game_conserves_cards_at_every_version_and_ends(game: int) -> None:
    """No card appears, vanishes or changes, whatever is played; and the game comes to its end."""
    players = 3 + game % 3
    options = option_sets(players)[game // 3 % len(option_sets(players))]
    begun = opening(game, players, options)
    log = begun.log + [entry for step in play_on(begun.table, Dice(game)) for entry in step.entries]
    deck, nothing = Counter(begun.table.rules.deck), Counter[str]()
    state, shuffled = INITIAL_STATE, False
    for version, entry in enumerate(log, 1):
        state = evolve(state, decode_event(entry))
        shuffled = shuffled or entry.type == "pile_shuffled"
        assert entry.version == version
        assert all_cards(state) == (deck if shuffled else nothing), f"version {version}, {entry.type}"
    assert state.status == "finished"
    assert state.exhaustions == 3
    assert sum(deck.values()) == 104
