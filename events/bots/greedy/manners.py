"""The greedy bot's manners at the table: how often it speaks in a turn, and how long it waits for answers."""

from typing import Any

from events import domain_events as e
from events.bots.situation import Situation


def may_trade(situation: Situation) -> bool:
    """Whether the active player may ask for something once more."""
    return _count(situation, gifts=False) < situation.style.trades_in_a_turn


def may_give(situation: Situation) -> bool:
    """Whether the active player may offer one more gift."""
    return _count(situation, gifts=True) < situation.style.gifts_in_a_turn


def may_speak_up(situation: Situation) -> bool:
    """Whether another player may make an offer: until the active player does, and again after each trade."""
    if len(situation.offers_made) >= situation.style.offers_off_turn:
        return False
    for event in reversed(situation.turn_events):
        if isinstance(event, e.TradeMade):
            return True
        if isinstance(event, e.OfferMade) and event.seat == situation.view["active"]:
            return False
    return True


def may_counter(situation: Situation) -> bool:
    """Whether the turn's allowance leaves room for a counter-offer."""
    style = situation.style
    most = style.trades_in_a_turn + style.gifts_in_a_turn if situation.active else style.offers_off_turn
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
