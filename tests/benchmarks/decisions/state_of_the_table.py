"""Steps per second of the candidates for the state's representation; see docs/decisions/0005.

Run it with `python tests/benchmarks/decisions/state_of_the_table.py`. Nothing in the test suite depends on it.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec

STEPS = 200_000
PLAYERS = 4
LONGEST_FIELD = 7


@dataclass(frozen=True, slots=True)
class DataclassSeat:
    """A seat as a frozen dataclass."""

    hand: tuple[str, ...] = ("blue",) * 6
    fields: tuple[tuple[str, ...], ...] = ((), (), ())


@dataclass(frozen=True, slots=True)
class DataclassTable:
    """A table as a frozen dataclass."""

    seats: tuple[DataclassSeat, ...] = (DataclassSeat(),) * PLAYERS
    planted: int = 0
    draw_pile: tuple[str, ...] = ("red",) * 60
    discard_pile: tuple[str, ...] = ()
    phase: str = "plant"
    active: int = 0


class StructSeat(msgspec.Struct, frozen=True):
    """A seat as a frozen struct."""

    hand: tuple[str, ...] = ("blue",) * 6
    fields: tuple[tuple[str, ...], ...] = ((), (), ())


class StructTable(msgspec.Struct, frozen=True):
    """A table as a frozen struct."""

    seats: tuple[StructSeat, ...] = (StructSeat(),) * PLAYERS
    planted: int = 0
    draw_pile: tuple[str, ...] = ("red",) * 60
    discard_pile: tuple[str, ...] = ()
    phase: str = "plant"
    active: int = 0


def grown(fields: tuple[tuple[str, ...], ...], field: int, card: str) -> tuple[tuple[str, ...], ...]:
    """The fields with one more card, the longest kept short."""
    return (*fields[:field], (*fields[field][1 - LONGEST_FIELD :], card), *fields[field + 1 :])


def with_dataclasses() -> None:
    """Plant with frozen dataclasses."""
    table = DataclassTable()
    for step in range(STEPS):
        number = step % PLAYERS
        seat = table.seats[number]
        planted = replace(
            seat, hand=seat.hand[1:] + seat.hand[:1], fields=grown(seat.fields, step % 3, seat.hand[0])
        )
        seats = (*table.seats[:number], planted, *table.seats[number + 1 :])
        table = replace(table, seats=seats, planted=table.planted + 1)


def with_structs() -> None:
    """Plant with frozen structs."""
    change = msgspec.structs.replace
    table = StructTable()
    for step in range(STEPS):
        number = step % PLAYERS
        seat = table.seats[number]
        planted = change(
            seat, hand=seat.hand[1:] + seat.hand[:1], fields=grown(seat.fields, step % 3, seat.hand[0])
        )
        seats = (*table.seats[:number], planted, *table.seats[number + 1 :])
        table = change(table, seats=seats, planted=table.planted + 1)


def with_lists() -> None:
    """Plant in place."""
    hands = [["blue"] * 6 for _ in range(PLAYERS)]
    fields: list[list[list[str]]] = [[[], [], []] for _ in range(PLAYERS)]
    for step in range(STEPS):
        hand, field = hands[step % PLAYERS], fields[step % PLAYERS][step % 3]
        card = hand.pop(0)
        hand.append(card)
        field.append(card)
        if len(field) > LONGEST_FIELD:
            field.pop(0)


def chess_moves_per_second() -> float | None:
    """Moves per second of python-chess `push` over random games; None when it is not installed."""
    try:
        import chess  # noqa: PLC0415 - a peer, installed on request
    except ImportError:
        return None
    chance = random.Random(1)
    games = []
    for _ in range(30):
        board = chess.Board()
        moves: list[chess.Move] = []
        while not board.is_game_over() and len(moves) < STEPS // 1000:
            moves.append(chance.choice(list(board.legal_moves)))
            board.push(moves[-1])
        games.append(moves)
    began = time.perf_counter()
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push(move)
    return sum(map(len, games)) / (time.perf_counter() - began)


def steps_per_second(run: Callable[[], None]) -> float:
    """How many plantings a second a representation makes."""
    began = time.perf_counter()
    run()
    return STEPS / (time.perf_counter() - began)


if __name__ == "__main__":
    for run in (with_dataclasses, with_structs, with_lists):
        print(f"{run.__name__:20} {steps_per_second(run):12,.0f} steps/s")  # noqa: T201
    pushes = chess_moves_per_second()
    if pushes is not None:
        print(f"{'python-chess push':20} {pushes:12,.0f} moves/s")  # noqa: T201
