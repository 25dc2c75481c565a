"""What a table of `ladybohn` holds besides the usual: open moves of misses, unseen coins, the barred field."""

import msgspec

OwnField = tuple[int, int]
"""A seat and one of its fields."""


class LadybohnTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of the table that only `ladybohn` has; all of it is public."""

    moves: tuple[OwnField, ...] = ()
    """Where a miss may be moved after a trade; a field stands here once for each move."""
    unseen: tuple[tuple[int, int], ...] = ()
    """The coins that nobody has seen: seat, and place in its coin stack."""
    barred: int | None = None
    """The field of the active player that got the first bean of this phase 1, while the second may not go there."""
