"""How the greedy bot plays where fields grow several varieties, gifts are offered and bonus cards claimed."""

from collections.abc import Callable, Mapping

from events.bots.situation import Situation
from events.bots.systems.the_duel.duelling import play_duel
from events.commands import Command

GAMES: Mapping[str, Callable[[Situation], Command | None]] = {"the-duel": play_duel}
"""How the whole game is played, which has other fields and no trading."""
