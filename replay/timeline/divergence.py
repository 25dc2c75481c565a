"""Where two records diverge: at which entry their chains do, and at which their events do.

The chain tells whether two records are of one game, up to a fork if there is one. Two games, such as a game and one
that was branched off it, have different chains from the first entry on; what happened in them is compared as well,
without what names a game: its id, its dealer's commitment, and when things happened.
"""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from events import domain_events as e
from replay.timeline.timeline import Step, Timeline


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
