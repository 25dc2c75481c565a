"""What is worth thinking about: the greedy bot's command, and what else could be done in its place.

In trading it does what the greedy bot does: what comes of offers depends on bargaining, which thoughts leave out.
"""

from typing import Any

from events import commands as c
from events.bots.greedy.greedy_bot import PLAYS, play_by
from events.bots.situation import Situation

MOST = 8
"""So many choices are compared at most."""
_APART: tuple[type[Any], ...] = (c.Say, c.Offer, c.Counter, c.Withdraw, c.Ready, c.Accept, c.Decline, c.Levy)
"""What is no choice: talk, levies, and all of trading."""


def choices_in(situation: Situation) -> list[c.Command]:
    """The commands to compare, the greedy bot's first; at most one where there is nothing to think about."""
    greedy = play_by(PLAYS, situation)
    trading = situation.view["phase"] == "trade"
    if trading or not situation.awaited or isinstance(greedy, c.Levy):
        return [] if greedy is None else [greedy]
    found = [] if greedy is None else [greedy]
    for each in situation.legal:
        if isinstance(each, c.Command) and not isinstance(each, _APART) and each not in found:
            found.append(each)
    return found[:MOST]
