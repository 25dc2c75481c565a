"""How the greedy bot plays where fields grow several varieties, gifts are offered and bonus cards claimed."""

from collections.abc import Mapping

from events.bots.situation import Play
from events.bots.systems.the_duel.duelling import play_duel

GAMES: Mapping[str, Play] = {"the-duel": play_duel}
"""How the whole game is played, which has other fields and no trading."""
