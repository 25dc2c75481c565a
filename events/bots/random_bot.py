"""A bot that does anything legal, but not for ever: its offers and its talk in a turn are numbered."""

import random

from events import commands as c
from events import domain_events as e
from events.bots.filling import fill_form
from events.bots.greedy.manners import must_wait
from events.bots.situation import Situation
from events.rules.definition.forms import Form

OFFERS_IN_A_TURN = 2
"""At most so many own offers, counter-offers included."""
_MEDDLES = 0.3
"""How likely it does something when the game does not wait for it."""
_TALKS = 0.03
_ENDS_TRADING = 0.3
_SWAPS = 0.1
"""How likely it thinks of swapping its hand."""
_LINGERS = 0.5
"""How likely it leaves people who have not answered time before it goes on trading."""


def play_at_random(situation: Situation, chance: random.Random) -> c.Command | None:
    """Any legal command; nothing where only talk is possible."""
    if not situation.awaited and chance.random() >= _MEDDLES:
        return None
    if chance.random() < _TALKS and not _has_talked(situation):
        return _any(situation, {c.Say}, chance)
    kinds = {_kind(each) for each in situation.legal} - {c.Say, c.Ready}
    if len(situation.offers_made) >= OFFERS_IN_A_TURN:
        kinds -= {c.Offer, c.Counter}
    if c.SwapHand in kinds and chance.random() >= _SWAPS:
        kinds -= {c.SwapHand}
    if c.EndTrading in kinds:
        if must_wait(situation) and chance.random() < _LINGERS:
            return None
        if chance.random() < _ENDS_TRADING:
            return c.EndTrading()
    return _any(situation, kinds, chance)


def _any(situation: Situation, kinds: set[type[c.Command]], chance: random.Random) -> c.Command | None:
    """One of these kinds of commands, each kind as likely as the others, and one of its commands."""
    listed = list(dict.fromkeys(_kind(each) for each in situation.legal if _kind(each) in kinds))
    if not listed:
        return None
    kind = chance.choice(listed)
    chosen = chance.choice([each for each in situation.legal if _kind(each) is kind])
    return chosen if isinstance(chosen, c.Command) else fill_form(chosen, chance)


def _kind(each: c.Command | Form) -> type[c.Command]:
    return type(each) if isinstance(each, c.Command) else each.command


def _has_talked(situation: Situation) -> bool:
    return any(isinstance(each, e.Talked) and each.seat == situation.seat for each in situation.turn_events)
