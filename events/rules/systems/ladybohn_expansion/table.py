"""What lies on the table in `ladybohn-expansion` only: fans, the quota field, levies due and promises."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from events.domain_events.base import Card
from events.rules.table.addition import Addition

if TYPE_CHECKING:
    from events.rules.table.state import GameState

Fan = tuple[Card, ...]
"""The cards of a fan, top card first."""


class LevyPromise(msgspec.Struct, frozen=True, gc=False):
    """A binding promise: the next levy of `seat` spares `to`."""

    seat: int
    to: int


class LadybohnExpansionTable(Addition, frozen=True, omit_defaults=True):
    """What the expansion adds to the table; everybody sees all of it."""

    fans: tuple[Fan, ...] = ()
    quota: int | None = None
    """Who has the quota field, which is that seat's third field."""
    levies: tuple[int, ...] = ()
    """Whose levies are due, each seat as often as it has one, in the order earned."""
    promises: tuple[LevyPromise, ...] = ()
    """In the order made."""

    field: ClassVar[str] = "ladybohn_expansion"
    holds_cards: ClassVar[bool] = True

    def spared_by(self, owner: int) -> tuple[int, ...]:
        """Whom this seat has promised to spare with its next levy."""
        return tuple(sorted({promise.to for promise in self.promises if promise.seat == owner}))

    def view(self, _state: "GameState", _viewer: int) -> dict[str, Any]:
        """All of it lies open."""
        return {
            "fans": [list(fan) for fan in self.fans],
            "quota_field": self.quota,
            "levies": list(self.levies),
            "promises": [{"seat": promise.seat, "to": promise.to} for promise in self.promises],
        }

    def deck_cards(self) -> Iterable[tuple[Card, ...]]:
        """Those of the fans."""
        return self.fans


def table_of(state: "GameState") -> LadybohnExpansionTable:
    """What the expansion adds to the table."""
    return state.ladybohn_expansion or LadybohnExpansionTable()
