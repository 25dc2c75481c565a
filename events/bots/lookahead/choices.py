"""What is worth thinking about: what a bold bargainer or a planner would do, and what could be done in its place.

The bold bargainer values everything like the greedy bot, asks more often and asks for more. Where there is trading in
a game, its command is taken as it is, except where a field is given up or bought: what comes of everything else
depends on bargaining, which thoughts leave out. In `the-duel` a plan is taken in the same way.
"""

from dataclasses import replace
from typing import Any, Final

from events import commands as c
from events.bots.greedy.greedy_bot import PLAYS, play_by
from events.bots.greedy.style import Style
from events.bots.lookahead.duelling.shrewd_play import play_shrewdly
from events.bots.lookahead.worth import Worth
from events.bots.situation import Situation

BOLD: Final = Style(trades_in_a_turn=8, gifts_in_a_turn=6, front_cards=5, bold=True)
"""How it bargains."""
MOST = 8
"""So many choices are compared at most."""
MOST_LOST = 1.0
"""A harvest that gives up more than so many coins is not thought about."""
_APART: tuple[type[Any], ...] = (c.Say, c.Offer, c.Counter, c.Withdraw, c.Ready, c.Accept, c.Decline, c.Levy)
"""What is no choice: talk, levies, and all of trading."""
_WEIGHTY: tuple[type[Any], ...] = (c.Harvest, c.BuyField)
"""What is thought about where there is trading, and where gifts are offered."""


def choices_in(situation: Situation) -> list[c.Command]:
    """The commands to compare, the bargainer's first; at most one where there is nothing to think about."""
    first = _first_choice(situation)
    if not situation.awaited or not _calls_for_thought(situation, first):
        return [] if first is None else [first]
    found, worth = [] if first is None else [first], Worth(situation)
    for each in situation.legal:
        if isinstance(each, c.Command) and each not in found and _is_promising(worth, situation, each):
            found.append(each)
    return found[:MOST]


def _first_choice(situation: Situation) -> c.Command | None:
    """What it would do without thinking in samples: a plan in `the-duel`, else what a bold bargainer does."""
    if situation.table is not None and situation.table.duel is not None:
        return play_shrewdly(situation, situation.table)
    return play_by(PLAYS, replace(situation, style=BOLD))


def _calls_for_thought(situation: Situation, first: c.Command | None) -> bool:
    if "trade" in situation.rules.phases:
        return isinstance(first, _WEIGHTY) and situation.view["phase"] != "trade"
    return "offer_gift" not in situation.rules.phases or isinstance(first, _WEIGHTY)


def _is_promising(worth: Worth, situation: Situation, command: c.Command) -> bool:
    """Whether it is a choice, and harvests no field from which much may still be expected."""
    if isinstance(command, c.Harvest):
        return worth.loss(tuple(situation.own["fields"][command.field])) <= MOST_LOST
    return not isinstance(command, _APART)
