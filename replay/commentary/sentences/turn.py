"""What happens in a standard turn, and at any time."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling
from replay.commentary.texts import make_printable


def _turn_began(tell: Telling, state: GameState, event: e.TurnBegan) -> str:
    return tell.event("turn_began", turn=event.turn, player=tell.player(state, event.seat))


def _phase_began(tell: Telling, _state: GameState, event: e.PhaseBegan) -> str:
    return tell.event("phase_began", phase=tell.phase(event.phase))


def _bean_planted(tell: Telling, state: GameState, event: e.BeanPlanted) -> str:
    player, card = tell.player(state, event.seat), tell.one(event.card)
    return tell.event("bean_planted", player=player, card=card, field=event.field)


def _cards_revealed(tell: Telling, state: GameState, event: e.CardsRevealed) -> str:
    key = "cards_revealed" if event.cards else "cards_revealed.none"
    return tell.event(key, player=tell.player(state, event.seat), cards=tell.cards(event.cards))


def _aside_planted(tell: Telling, state: GameState, event: e.AsidePlanted) -> str:
    player, card = tell.player(state, event.seat), tell.one(event.card)
    return tell.event("aside_planted", player=player, card=card, field=event.field)


def _field_harvested(tell: Telling, state: GameState, event: e.FieldHarvested) -> str:
    told = tell.event(
        "field_harvested" if event.coins else "field_harvested.for_nothing",
        player=tell.player(state, event.seat),
        cards=tell.cards(event.cards),
        field=event.field,
        coins=tell.count("coins", event.coins),
    )
    return tell.event("at_the_end", sentence=told) if event.final else told


def _third_field_bought(tell: Telling, state: GameState, event: e.ThirdFieldBought) -> str:
    key = "third_field_bought.boxed" if event.boxed else "third_field_bought"
    return tell.event(key, player=tell.player(state, event.seat), cards=tell.cards(event.paid))


def _cards_drawn(tell: Telling, state: GameState, event: e.CardsDrawn) -> str:
    key = "cards_drawn" if event.cards else "cards_drawn.none"
    return tell.event(key, player=tell.player(state, event.seat), cards=tell.cards(event.cards))


def _talked(tell: Telling, state: GameState, event: e.Talked) -> str:
    return tell.event("talked", player=tell.player(state, event.seat), text=make_printable(event.text))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.TurnBegan: _turn_began,
        e.PhaseBegan: _phase_began,
        e.BeanPlanted: _bean_planted,
        e.CardsRevealed: _cards_revealed,
        e.AsidePlanted: _aside_planted,
        e.FieldHarvested: _field_harvested,
        e.ThirdFieldBought: _third_field_bought,
        e.CardsDrawn: _cards_drawn,
        e.Talked: _talked,
    }
)
"""One function per event type."""
