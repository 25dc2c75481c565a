"""What becomes of offers."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling


def _offer_made(tell: Telling, state: GameState, event: e.OfferMade) -> str:
    given, wanted = tell.sides(state, event)
    key = "offer_made" if given and wanted else "offer_made.for_nothing" if given else "offer_made.asking"
    label = (
        tell.part("offer", offer=event.offer)
        if event.counters is None
        else tell.part("counter", offer=event.offer, counters=event.counters)
    )
    values = {
        "label": label,
        "player": tell.player(state, event.seat),
        "given": tell.listed(given),
        "wanted": tell.listed(wanted),
    }
    if event.to is None:
        return tell.event(f"{key}.to_all", **values)
    return tell.event(key, partner=tell.player(state, event.to), **values)


def _offer_declined(tell: Telling, state: GameState, event: e.OfferDeclined) -> str:
    key = "offer_declined.closed" if event.closed else "offer_declined"
    return tell.event(key, player=tell.player(state, event.seat), offer=event.offer)


def _offer_withdrawn(tell: Telling, state: GameState, event: e.OfferWithdrawn) -> str:
    return tell.event("offer_withdrawn", player=tell.player(state, event.seat), offer=event.offer)


def _offer_lapsed(tell: Telling, _state: GameState, event: e.OfferLapsed) -> str:
    return tell.event("offer_lapsed", offer=event.offer)


def _trade_made(tell: Telling, state: GameState, event: e.TradeMade) -> str:
    """Where only one side gave cards, it is the giver: what it gave, it gave for nothing."""
    sides = [(event.active, event.active_cards), (event.partner, event.partner_cards)]
    if not event.active_cards:
        sides.reverse()
    (giver, given), (partner, paid) = sides
    return tell.event(
        "trade_made" if paid else "trade_made.for_nothing",
        offer=event.offer,
        giver=tell.player(state, giver),
        partner=tell.player(state, partner),
        given=tell.cards(given),
        paid=tell.cards(paid),
    )


def _trading_ended(tell: Telling, state: GameState, event: e.TradingEnded) -> str:
    key = "trading_ended.keeping" if event.kept else "trading_ended"
    return tell.event(key, player=tell.player(state, event.seat), cards=tell.cards(event.kept))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.OfferMade: _offer_made,
        e.OfferDeclined: _offer_declined,
        e.OfferWithdrawn: _offer_withdrawn,
        e.OfferLapsed: _offer_lapsed,
        e.TradeMade: _trade_made,
        e.TradingEnded: _trading_ended,
    }
)
"""One function per event type."""
