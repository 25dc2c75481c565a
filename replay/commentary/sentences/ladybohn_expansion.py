"""What happens in `ladybohn-expansion` only."""

from typing import TYPE_CHECKING, Any

from events import domain_events as e
from events.rules.table.state import GameState

if TYPE_CHECKING:
    from replay.commentary.commentary import Commentary


def _coins_levied(tell: "Commentary", state: GameState, event: e.CoinsLevied) -> dict[str, Any]:
    paid = [
        tell.part("levied", card=tell.names.one(card), player=tell.player(state, seat))
        for seat, card in zip(event.payers, event.coins, strict=False)
    ]
    return {"coins": tell.listed(paid), "spared": tell.players(state, event.spared)}


KEYS = {
    e.CoinsLevied: lambda event: (
        f"coins_levied{'' if event.payers and event.coins else '.none'}{'.sparing' if event.spared else ''}"
    ),
}
VARIABLES = {
    e.HandSwapped: lambda tell, _, event: {"hand": tell.cards(event.hand)},
    e.CoinsLevied: _coins_levied,
}
