"""The table `seats`."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from events import domain_events as e
from replay.across.dataset.columns import GameId, Month, System
from replay.across.dataset.told_game import ToldGame, seat_of
from replay.platform.safe_text import safe


class SeatRow(NamedTuple):
    """One seat of a game, and how it did."""

    game: GameId
    system: System
    month: Month
    seat: Annotated[int, "The seat's number, from 0."]
    place: Annotated[int | None, "Its place in the order of play: 0 began. Null if the game never began."]
    name: Annotated[str, "The name of who took it, or a pseudonym; empty if nobody did."]
    kind: Annotated[str, "Who took it: `human`, `program` or `bot`; empty if nobody did."]
    bot: Annotated[str, "The bot that took it, such as `greedy`; empty for others."]
    program: Annotated[str, "The name of the program that took it; empty for others."]
    program_version: Annotated[str, "The version of that program."]
    seeded: Annotated[bool, "Whether it brought a seed of its own to the shuffles."]
    score: Annotated[int | None, "Its score in the game's `unit`; null if the game ended without scores."]
    winner: Annotated[bool, "Whether it won, alone or with others."]
    coins: Annotated[int, "The coins before it at the end."]
    third_field: Annotated[bool, "Whether it got its third field."]
    turns: Annotated[int, "How many turns of it were begun that count."]
    commands: Annotated[int, "How many commands it gave, all of them."]
    strikes: Annotated[int, "In how many turns its time ran out."]
    returns: Annotated[int, "How often who had left came back."]
    away: Annotated[bool, "Whether a bot played on for it at the end, because it had left or was too late."]
    player: Annotated[str, "The player's id across games, or a pseudonym; empty if the seat named none."]


def seat_rows(told: ToldGame) -> Iterator[SeatRow]:
    """The rows of a game: seat 0 first."""
    played, end = told.played, told.played.end
    result = played.result
    turns: Counter[int] = Counter(
        step.event.seat for step in told.steps if step.in_effect and isinstance(step.event, e.TurnBegan)
    )
    commands = Counter(seat_of(step.actor) for step in told.steps if step.command is not None)
    for number, seat in enumerate(end.seats):
        yield SeatRow(
            *told.place,
            seat=number,
            place=(number - end.start_seat) % len(end.seats) if end.turn else None,
            name=told.names.name(seat.name),
            kind=seat.away or seat.kind,
            bot="" if seat.away else seat.bot,
            program=safe(seat.program, 100),
            program_version=safe(seat.program_version, 100),
            seeded=bool(seat.seed),
            score=result.scores[number] if number < len(result.scores) else None,
            winner=number in result.winners,
            coins=len(seat.coins),
            third_field=seat.third_field,
            turns=turns[number],
            commands=commands[number],
            strikes=seat.strikes,
            returns=seat.returns,
            away=bool(seat.away),
            player=told.names.player(seat.player),
        )
