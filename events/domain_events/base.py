"""The base of all events, and what stands for a value that a viewer may not see."""

from typing import ClassVar

import msgspec

from events.chain.canonical import snake_case

Card = str
"""A card's key in the catalogue, such as `blue`."""
UNKNOWN_CARD: Card = "?"
"""Stands for a card that a viewer may not see, when a filtered log is folded."""
UNKNOWN_NUMBER = 0
"""Stands for a hand number that a viewer may not see (numbers start at 1)."""


class DomainEvent(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
):
    """Base of all events."""

    schema: ClassVar[int] = 1
    private: ClassVar[dict[str, str]] = {}
    """Fields that not everybody may see: field name to the field holding the seat that may, or NOBODY."""


class ForeseeableEvent(DomainEvent, frozen=True):
    """Base of those of which every public value follows from what its player could see before."""
