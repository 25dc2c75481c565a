"""What differs between two tables, place by place: hands, fields, piles, coins, offers, turn and phase.

Compared are the two views of a viewer, `player_view`, so nothing can differ here that the viewer may not see, and
what a new rule system adds to the view is compared without further work.

And where two records diverge. The chain tells whether they are of one game, up to a fork if there is one. Two games,
such as a game and one that was branched off it, have different chains from the first entry on; what happened in them
is compared as well, without what names a game: its id, its dealer's commitment, and when things happened.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from events import domain_events as e
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from replay.timeline.timeline import Step, Timeline

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


class Divergence(msgspec.Struct, frozen=True):
    """Where two records diverge.

    Attributes:
        chain: the first version at which the chains differ; None where one is the beginning of the other.
        play: the first version at which what happened differs; None where one is the beginning of the other.
        first_ends: the last version of the first record.
        second_ends: the last version of the second.
    """

    chain: int | None
    play: int | None
    first_ends: int
    second_ends: int


def find_divergence(one: Timeline, other: Timeline) -> Divergence:
    """Find where two records diverge, as their viewers see them."""
    return Divergence(
        _first(one, other, lambda step: step.form.hash),
        _first(one, other, _happening),
        one.last,
        other.last,
    )


def _first(one: Timeline, other: Timeline, told: Callable[[Step], object]) -> int | None:
    for here, there in zip(one.steps, other.steps, strict=False):
        if told(here) != told(there):
            return here.version
    return None


def _happening(step: Step) -> object:
    event = step.event
    if isinstance(event, e.GameCreated):
        event = replace(event, game="", commitment="")
    return step.form.entry["actor"], event
