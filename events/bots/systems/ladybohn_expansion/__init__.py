"""How the greedy bot swaps hands, levies coins and values promises."""

from collections.abc import Callable, Mapping

from events.bots.situation import Situation
from events.bots.systems.ladybohn_expansion.fans_and_levies import choose_fan, levy
from events.commands import Command

PLAYS: Mapping[str, Callable[[Situation], Command | None]] = {"fans": choose_fan, "levy": levy}
"""What to do in the phases that only this game has."""
