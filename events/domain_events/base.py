"""The base of all events, and what stands for a value that a viewer may not see."""

from typing import ClassVar

import msgspec

Card = str
"""A card's key in the catalogue, such as `blue`."""
UNKNOWN_CARD: Card = "?"
"""Stands for a card that a viewer may not see, when a filtered log is folded."""
UNKNOWN_NUMBER = 0
"""Stands for a hand number that a viewer may not see (numbers start at 1)."""


def _past_tense(class_name: str) -> str:
    """Spell a class name as the event's type: `BeanPlanted` becomes `bean_planted`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class DomainEvent(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=_past_tense,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Base of all events."""

    schema: ClassVar[int] = 1
    private: ClassVar[dict[str, str]] = {}
    """Fields that not everybody may see: field name to the field holding the seat that may, or NOBODY."""
    is_foreseeable: ClassVar[bool] = False
    """Whether every public value follows from what its player could see before."""
