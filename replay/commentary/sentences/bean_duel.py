"""What happens in `bean-duel`, some of it in `the-duel` too."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling


def _discards_joined(tell: Telling, _state: GameState, event: e.DiscardsJoined) -> str:
    return tell.event("discards_joined", count=len(event.cards), cards=tell.cards(event.cards))


def _revealed_planted(tell: Telling, state: GameState, event: e.RevealedPlanted) -> str:
    player, card = tell.player(state, event.seat), tell.one(event.card)
    return tell.event("revealed_planted", player=player, card=card, field=event.field)


def _revealed_discarded(tell: Telling, state: GameState, event: e.RevealedDiscarded) -> str:
    return tell.event("revealed_discarded", player=tell.player(state, event.seat), card=tell.one(event.card))


def _hand_card_discarded(tell: Telling, state: GameState, event: e.HandCardDiscarded) -> str:
    return tell.event("hand_card_discarded", player=tell.player(state, event.seat), card=tell.one(event.card))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.DiscardsJoined: _discards_joined,
        e.RevealedPlanted: _revealed_planted,
        e.RevealedDiscarded: _revealed_discarded,
        e.HandCardDiscarded: _hand_card_discarded,
    }
)
"""One function per event type."""
