"""The table `commands`."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from events.commands import Command
from events.log.codec import encode_command
from events.rules.table.waiting import waiting_for
from replay.across.dataset.columns import JSON, At, Counts, GameId, Month, System, Version
from replay.across.dataset.told_game import ToldGame, seat_of
from replay.across.played_game import Step
from replay.platform.safe_text import safe_json


class CommandRow(NamedTuple):
    """One command that was accepted, of whoever gave it. What was refused stands in no record."""

    game: GameId
    system: System
    month: Month
    version: Version
    at: At
    turn: Annotated[int, "The turn in which it was given, from 1; 0 before the first."]
    phase: Annotated[str, "The phase in which it was given; empty outside of turns."]
    actor: Annotated[str, "Who gave it: `seat:0` and so on, `dealer`, `host`, `arbiter` or `clock`."]
    actor_seat: Annotated[int | None, "The number of the seat that gave it; null for others."]
    command: Annotated[str, "The type of the command, such as `plant`."]
    events: Annotated[int, "How many events it brought about, from `version` on."]
    waited_for: Annotated[bool, "Whether the game waited for this seat; in phase 2 others act, too."]
    counts: Counts
    data: Annotated[
        str, JSON, "The command with its type, in the newest shape; what has its default is left out."
    ]


def command_rows(told: ToldGame) -> Iterator[CommandRow]:
    """The rows of a game in their order."""
    begun = [step for step in told.steps if step.command is not None]
    ends = [step.version for step in begun[1:]] + [told.steps[-1].version + 1]
    for step, end in zip(begun, ends, strict=True):
        if step.command is not None:
            yield _row(told, step, step.command, end - step.version)


def _row(told: ToldGame, step: Step, command: Command, events: int) -> CommandRow:
    seat = seat_of(step.actor)
    return CommandRow(
        *told.place,
        version=step.version,
        at=told.moment(step.at),
        turn=step.before.turn,
        phase=step.before.phase,
        actor=step.actor,
        actor_seat=seat,
        command=str(type(command).__struct_config__.tag),
        events=events,
        waited_for=seat is not None and seat in waiting_for(step.before),
        counts=step.counts,
        data=safe_json(encode_command(told.names.command(command))).decode(),
    )
