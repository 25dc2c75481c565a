"""What happens in `the-duel` only."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling


def _coins_dealt(tell: Telling, state: GameState, event: e.CoinsDealt) -> str:
    return tell.event("coins_dealt", player=tell.player(state, event.seat), cards=tell.cards(event.cards))


def _bonus_drawn(tell: Telling, state: GameState, event: e.BonusDrawn) -> str:
    bonus = tell.names.bonus_cards(event.cards)
    return tell.event("bonus_drawn", player=tell.player(state, event.seat), bonus=bonus)


def _gift_offered(tell: Telling, state: GameState, event: e.GiftOffered) -> str:
    return tell.event("gift_offered", player=tell.player(state, event.seat), card=tell.one(event.variety))


def _gift_accepted(tell: Telling, state: GameState, event: e.GiftAccepted) -> str:
    return tell.event("gift_accepted", player=tell.player(state, event.seat), card=tell.one(event.variety))


def _gift_given(tell: Telling, state: GameState, event: e.GiftGiven) -> str:
    key = "gift_given.revealed" if event.revealed else "gift_given.hand"
    player, partner = tell.player(state, event.seat), tell.player(state, event.to)
    return tell.event(key, player=player, partner=partner, card=tell.one(event.card))


def _bluff_paid(tell: Telling, state: GameState, event: e.BluffPaid) -> str:
    return tell.event(
        "bluff_paid", player=tell.player(state, event.seat), partner=tell.player(state, event.to)
    )


def _bonus_claimed(tell: Telling, state: GameState, event: e.BonusClaimed) -> str:
    told = tell.event(
        "bonus_claimed",
        player=tell.player(state, event.seat),
        bonus=tell.names.bonus(event.bonus),
        field=event.field,
        owner=tell.player(state, event.owner),
    )
    return tell.event("at_the_end", sentence=told) if event.final else told


def _bonus_discarded(tell: Telling, state: GameState, event: e.BonusDiscarded) -> str:
    bonus = tell.names.bonus(event.bonus)
    return tell.event("bonus_discarded", player=tell.player(state, event.seat), bonus=bonus)


def _bonus_kept(tell: Telling, state: GameState, event: e.BonusKept) -> str:
    return tell.event("bonus_kept", player=tell.player(state, event.seat))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.CoinsDealt: _coins_dealt,
        e.BonusDrawn: _bonus_drawn,
        e.GiftOffered: _gift_offered,
        e.GiftAccepted: _gift_accepted,
        e.GiftGiven: _gift_given,
        e.BluffPaid: _bluff_paid,
        e.BonusClaimed: _bonus_claimed,
        e.BonusDiscarded: _bonus_discarded,
        e.BonusKept: _bonus_kept,
    }
)
"""One function per event type."""
