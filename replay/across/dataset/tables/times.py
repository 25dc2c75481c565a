"""The table `times`."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from events.rules.table.waiting import waiting_for
from replay.across.dataset.columns import MOMENT, Counts, GameId, Month, System, Turn
from replay.across.dataset.told_game import ToldGame, seat_of

_DEALER = "dealer"


class TimeRow(NamedTuple):
    """One stretch of time in which the game waited for a seat: from one command to the next.

    Of two seats that are waited for at once each has a row. Games that no clock saw have no rows.
    """

    game: GameId
    system: System
    month: Month
    version: Annotated[int, "The version of the entry with whose command the stretch ended."]
    at: Annotated[int | None, MOMENT, "When it ended; never null."]
    turn: Turn
    phase: Annotated[str, "The phase of the turn."]
    seat: Annotated[int, "The seat that was waited for."]
    waited_for: Annotated[int, "How many seats were waited for at once."]
    acted: Annotated[bool, "Whether it was this seat's command that ended the stretch."]
    milliseconds: Annotated[
        int, "How long it was. By the clock of the service: less than nothing if that was put back."
    ]
    counts: Counts


def time_rows(told: ToldGame) -> Iterator[TimeRow]:
    """The rows of a game in their order. What the dealer does is part of the command before."""
    if not told.is_dated:
        return
    since = told.steps[0].at
    for step in told.steps:
        if step.command is None or step.actor == _DEALER:
            continue
        waited = waiting_for(step.before)
        acting = seat_of(step.actor)
        for seat in waited:
            yield TimeRow(
                *told.place,
                version=step.version,
                at=step.at,
                turn=step.before.turn,
                phase=step.before.phase,
                seat=seat,
                waited_for=len(waited),
                acted=seat == acting,
                milliseconds=step.at - since,
                counts=step.counts,
            )
        since = step.at
