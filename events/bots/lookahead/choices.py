"""What is worth thinking about: the command of a bold bargainer, and what else could be done in its place.

The bold bargainer values everything like the greedy bot, asks more often and asks for more. In trading its command is
taken as it is: what comes of offers depends on bargaining, which thoughts leave out.
"""

from dataclasses import replace
from typing import Any, Final

from events import commands as c
from events.bots.greedy.greedy_bot import PLAYS, play_by
from events.bots.greedy.style import Style
from events.bots.situation import Situation

BOLD: Final = Style(trades_in_a_turn=8, gifts_in_a_turn=6, front_cards=5, bold=True)
"""How it bargains."""

MOST = 8
"""So many choices are compared at most."""
_APART: tuple[type[Any], ...] = (c.Say, c.Offer, c.Counter, c.Withdraw, c.Ready, c.Accept, c.Decline, c.Levy)
"""What is no choice: talk, levies, and all of trading."""


def choices_in(situation: Situation) -> list[c.Command]:
    """The commands to compare, the bargainer's first; at most one where there is nothing to think about."""
    first = play_by(PLAYS, replace(situation, style=BOLD))
    trading = situation.view["phase"] == "trade"
    if trading or not situation.awaited or isinstance(first, c.Levy):
        return [] if first is None else [first]
    found = [] if first is None else [first]
    for each in situation.legal:
        if isinstance(each, c.Command) and not isinstance(each, _APART) and each not in found:
            found.append(each)
    return found[:MOST]
