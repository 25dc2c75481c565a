"""What bots remember of a turn: the negotiation, which the table's state does not keep.

Everything here follows from the log: the seats' bot seeds from its beginning, the rest from the entries since
the turn began.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import msgspec

from events import domain_events as e

_REMEMBERED = (e.OfferMade, e.OfferDeclined, e.OfferWithdrawn, e.TradeMade, e.Talked, e.HandSwapped)


@dataclass(frozen=True, slots=True)
class BotMemory:
    """What was negotiated and swapped since the turn began, or the game went back, and the seeds of the bots."""

    bot_seeds: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Each bot's seed by seat, as recorded when it sat down."""
    turn_events: tuple[e.DomainEvent, ...] = ()

    def follow(self, events: Iterable[e.DomainEvent]) -> "BotMemory":
        """The memory after these events, in order."""
        seeds, remembered = dict(self.bot_seeds), list(self.turn_events)
        for event in events:
            if isinstance(event, e.TurnBegan | e.GameRewound):
                remembered.clear()
            elif isinstance(event, _REMEMBERED):
                remembered.append(event)
            elif isinstance(event, e.SeatTaken) and event.bot_seed:
                seeds[event.seat] = event.bot_seed
        return replace(self, bot_seeds=MappingProxyType(seeds), turn_events=tuple(remembered))

    def seen_by(self, seat: int) -> tuple[e.DomainEvent, ...]:
        """The turn's events with every hand number that this seat may not see left out."""
        return tuple(_redact(event, seat) for event in self.turn_events)

    def offers_by(self, seat: int) -> tuple[e.OfferMade, ...]:
        """The offers and counter-offers that this seat has made since the turn began."""
        return tuple(each for each in self.turn_events if isinstance(each, e.OfferMade) and each.seat == seat)


def _redact(event: e.DomainEvent, seat: int) -> e.DomainEvent:
    hidden: dict[str, Any] = {
        name: () for name, holder in event.private.items() if getattr(event, holder, None) != seat
    }
    return msgspec.structs.replace(event, **hidden) if hidden else event
