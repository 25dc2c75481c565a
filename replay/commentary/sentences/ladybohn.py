"""What happens in `ladybohn` only."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling


def _miss_moved(tell: Telling, state: GameState, event: e.MissMoved) -> str:
    player, places = tell.player(state, event.seat), tell.count("places", event.places)
    return tell.event("miss_moved", player=player, field=event.field, places=places)


def _miss_move_opened(tell: Telling, state: GameState, event: e.MissMoveOpened) -> str:
    return tell.event("miss_move_opened", player=tell.player(state, event.seat), field=event.field)


def _miss_moves_lapsed(tell: Telling, state: GameState, event: e.MissMovesLapsed) -> str:
    return tell.event("miss_moves_lapsed", player=tell.player(state, event.seat), field=event.field)


def _field_barred(tell: Telling, state: GameState, event: e.FieldBarred) -> str:
    return tell.event("field_barred", player=tell.player(state, event.seat), field=event.field)


def _field_paid_from_piles(tell: Telling, state: GameState, event: e.FieldPaidFromPiles) -> str:
    parts = {
        "from_discard_pile": len(event.from_discard_pile),
        "from_draw_pile": len(event.from_draw_pile),
        "from_field": event.from_field,
    }
    told = tell.event(
        "field_paid_from_piles" if any(parts.values()) else "field_harvested.for_nothing",
        player=tell.player(state, event.seat),
        cards=tell.cards(event.cards),
        field=event.field,
        coins=tell.count("coins", sum(parts.values())),
        sources=tell.part("apart").join(
            tell.part(source, count=count) for source, count in parts.items() if count
        ),
    )
    return tell.event("at_the_end", sentence=told) if event.final else told


def _coins_shown(tell: Telling, state: GameState, event: e.CoinsShown) -> str:
    return tell.event("coins_shown", player=tell.player(state, event.seat), cards=tell.cards(event.cards))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.MissMoved: _miss_moved,
        e.MissMoveOpened: _miss_move_opened,
        e.MissMovesLapsed: _miss_moves_lapsed,
        e.FieldBarred: _field_barred,
        e.FieldPaidFromPiles: _field_paid_from_piles,
        e.CoinsShown: _coins_shown,
    }
)
"""One function per event type."""
