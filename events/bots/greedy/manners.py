"""The greedy bot's manners at the table: how often it speaks in a turn, and how long it waits for answers."""

from typing import Any

from events import domain_events as e
from events.bots.situation import Situation

TRADES_IN_A_TURN = 4
"""The active player asks something for its cards at most so often; counter-offers count too."""
GIFTS_IN_A_TURN = 3
"""And then gives away at most so many."""
OFFERS_OFF_TURN = 2
"""Another player makes at most so many offers in a turn; counter-offers count too."""


def may_trade(situation: Situation) -> bool:
    """Whether the active player may ask for something once more."""
    return _count(situation, gifts=False) < TRADES_IN_A_TURN


def may_give(situation: Situation) -> bool:
    """Whether the active player may offer one more gift."""
    return _count(situation, gifts=True) < GIFTS_IN_A_TURN


def may_speak_up(situation: Situation) -> bool:
    """Whether another player may make an offer: until the active player does, and again after each trade."""
    if len(situation.offers_made) >= OFFERS_OFF_TURN:
        return False
    for event in reversed(situation.turn_events):
        if isinstance(event, e.TradeMade):
            return True
        if isinstance(event, e.OfferMade) and event.seat == situation.view["active"]:
            return False
    return True


def may_counter(situation: Situation) -> bool:
    """Whether the turn's allowance leaves room for a counter-offer."""
    most = TRADES_IN_A_TURN + GIFTS_IN_A_TURN if situation.active else OFFERS_OFF_TURN
    return len(situation.offers_made) < most


def must_wait(situation: Situation) -> bool:
    """Whether somebody may still answer an own offer, or make one where this seat has made none."""
    if situation.alone:
        return False
    mine = [offer for offer in situation.view["offers"] if offer["seat"] == situation.seat]
    return not situation.offers_made or any(_awaits_answer(situation, offer) for offer in mine)


def _awaits_answer(situation: Situation, offer: dict[str, Any]) -> bool:
    """Whether somebody whose answer is expected was asked and has neither declined nor countered.

    A bot that has not answered will not: it was asked before, and until something happens it chooses the same.
    """
    asked = situation.expected if offer["to"] is None else situation.expected & {offer["to"]}
    countered = {
        each.seat
        for each in situation.turn_events
        if isinstance(each, e.OfferMade) and each.counters == offer["offer"]
    }
    return bool(asked - set(offer["declined"]) - countered)


def _count(situation: Situation, *, gifts: bool) -> int:
    return sum((not made.want and not made.want_revealed) == gifts for made in situation.offers_made)
