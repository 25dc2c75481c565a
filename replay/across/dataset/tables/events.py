"""The table `events`."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from events.log.codec import encode_event, event_type
from replay.across.dataset.columns import JSON, At, Counts, GameId, Month, System, Turn, Version
from replay.across.dataset.told_game import ToldGame, seat_of
from replay.platform.safe_text import safe_json


class EventRow(NamedTuple):
    """One entry of a record: what happened, with every card, as the finished record shows it to everybody."""

    game: GameId
    system: System
    month: Month
    version: Version
    at: At
    turn: Turn
    phase: Annotated[str, "The phase of the turn after it; empty outside of turns."]
    actor: Annotated[str, "Who acted: `seat:0` and so on, `dealer`, `host`, `arbiter` or `clock`."]
    actor_seat: Annotated[int | None, "The number of the seat that acted; null for others."]
    event: Annotated[str, "The type of the event, such as `trade_made`."]
    begins: Annotated[
        bool, "Whether a command begins with it; the entries up to the next one are its events, too."
    ]
    counts: Counts
    data: Annotated[
        str, JSON, "The event's members, in the newest shape of its type; what has its default is left out."
    ]


def event_rows(told: ToldGame) -> Iterator[EventRow]:
    """The rows of a game: version 1 first."""
    for step in told.steps:
        yield EventRow(
            *told.place,
            version=step.version,
            at=told.moment(step.at),
            turn=step.after.turn,
            phase=step.after.phase,
            actor=step.actor,
            actor_seat=seat_of(step.actor),
            event=event_type(step.event),
            begins=step.command is not None,
            counts=step.counts,
            data=safe_json(encode_event(told.names.event(step.event))).decode(),
        )
