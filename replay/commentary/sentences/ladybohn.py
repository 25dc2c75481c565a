"""What happens in `ladybohn` only."""

from typing import TYPE_CHECKING, Any

from events import domain_events as e
from events.rules.table.state import GameState

if TYPE_CHECKING:
    from replay.commentary.commentary import Commentary


def _paid_from_piles(tell: "Commentary", _state: GameState, event: e.FieldPaidFromPiles) -> dict[str, Any]:
    parts = {
        "from_discard_pile": len(event.from_discard_pile),
        "from_draw_pile": len(event.from_draw_pile),
        "from_field": event.from_field,
    }
    sources = (tell.part(source, count=count) for source, count in parts.items() if count)
    return {"coins": tell.count("coins", event.coins), "sources": tell.part("apart").join(sources)}


KEYS = {
    e.FieldPaidFromPiles: lambda event: (
        "field_paid_from_piles" if event.coins else "field_harvested.for_nothing"
    ),
}
VARIABLES = {
    e.MissMoved: lambda tell, _, event: {"places": tell.count("places", event.places)},
    e.FieldPaidFromPiles: _paid_from_piles,
}
