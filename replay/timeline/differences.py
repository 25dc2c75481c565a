"""What differs between two tables, place by place: hands, fields, piles, coins, offers, turn and phase.

Compared are the two views of a viewer, `player_view`, so nothing can differ here that the viewer may not see, and
what a new rule system adds to the view is compared without further work.
"""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from events.rules.table.player_view import player_view
from events.rules.table.state import GameState

_NUMBERED: Final = {"seats": "seat", "offers": "offer", "fields": "", "fans": ""}
"""Lists that are compared member by member, and the name of the number by which these are told apart, if any."""
_WHOLE: Final = frozenset({"hand", "want", "options", "result", "draw_pile", "bonus", "bonus_pile"})
"""Objects that are shown whole where one of their members differs."""


class Difference(msgspec.Struct, frozen=True):
    """One place of the table that differs.

    Attributes:
        place: where, such as `seats/1/fields/0`.
        before: what lies there at the first version; None where there is no such place.
        after: what lies there at the second.
    """

    place: str
    before: Any
    after: Any


def differences(one: GameState, other: GameState, viewer: int) -> tuple[Difference, ...]:
    """What differs between two tables as this viewer sees them, in the order of the view."""
    return tuple(_differing("", player_view(one, viewer), player_view(other, viewer)))


def _differing(place: str, one: Any, other: Any) -> Iterator[Difference]:
    if one == other:
        return
    name = place.rpartition("/")[2]
    if isinstance(one, dict) and isinstance(other, dict) and name not in _WHOLE:
        yield from _members(place, one, other)
    elif isinstance(one, list) and isinstance(other, list) and name in _NUMBERED:
        yield from _members(place, _by_number(one, _NUMBERED[name]), _by_number(other, _NUMBERED[name]))
    else:
        yield Difference(place, one, other)


def _members(place: str, one: dict[Any, Any], other: dict[Any, Any]) -> Iterator[Difference]:
    for name in {**one, **other}:
        inner = f"{place}/{name}" if place else str(name)
        yield from _differing(inner, one.get(name), other.get(name))


def _by_number(members: list[Any], number: str) -> dict[int, Any]:
    return {
        (each[number] if isinstance(each, dict) and number in each else place): each
        for place, each in enumerate(members)
    }
