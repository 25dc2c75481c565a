"""What a table of `ladybohn` holds besides the usual: open moves of misses, unseen coins, the barred field."""

from typing import TYPE_CHECKING, Any, ClassVar

from events.rules.table.addition import Addition

if TYPE_CHECKING:
    from events.rules.table.state import GameState

OwnField = tuple[int, int]
"""A seat and one of its fields."""


class LadybohnTable(Addition, frozen=True, omit_defaults=True):
    """The part of the table that only `ladybohn` has; all of it is public."""

    moves: tuple[OwnField, ...] = ()
    """Where a miss may be moved after a trade; a field stands here once for each move."""
    unseen: tuple[tuple[int, int], ...] = ()
    """The coins that nobody has seen: seat, and place in its coin stack."""
    barred: int | None = None
    """The field of the active player that got the first bean of this phase 1, while the second may not go there."""

    field: ClassVar[str] = "ladybohn"

    def view(self, state: "GameState", _viewer: int) -> dict[str, Any]:
        """All of it lies open."""
        return {
            "miss_moves": [{"seat": seat, "field": field} for seat, field in self.moves],
            "barred_field": self.barred if state.phase == "plant" and state.planted else None,
        }

    def unseen_coins(self, seat: int) -> frozenset[int]:
        """The coins off the draw pile, until they are shown."""
        return frozenset(place for owner, place in self.unseen if owner == seat)


def table_of(state: "GameState") -> LadybohnTable:
    """What the table holds besides the usual."""
    return state.ladybohn or LadybohnTable()
