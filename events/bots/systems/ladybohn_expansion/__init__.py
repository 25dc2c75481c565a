"""How the greedy bot swaps hands, levies coins and values promises."""

from collections.abc import Mapping

from events.bots.situation import Play
from events.bots.systems.ladybohn_expansion.fans_and_levies import choose_fan, levy

PLAYS: Mapping[str, Play] = {"fans": choose_fan, "levy": levy}
"""What to do in the phases that only this game has."""
