"""Who sits at the table and who has left it: a bot plays on for them, and they can come back."""

from msgspec.structs import replace

from events.domain_events.rulings import GameRewound
from events.rules.table.state import GameState, Seat

PEOPLE = ("human", "program")
"""The kinds of seats that can leave; a bot of ours stays."""


def is_person(seat: Seat) -> bool:
    """Whether somebody plays this seat who can leave it, or answer what the others ask."""
    return seat.kind in PEOPLE


def bots_at(state: GameState) -> tuple[int, ...]:
    """The seats that bots play, for themselves or for players who left; they agree at once to what is asked."""
    return tuple(number for number, seat in enumerate(state.seats) if seat.kind == "bot")


def has_bot_player(state: GameState) -> bool:
    """Return whether a bot has a seat of its own, which it plays for nobody who left."""
    return any(seat.kind == "bot" and not seat.away for seat in state.seats)


def away_from(state: GameState) -> tuple[int, ...]:
    """The seats that bots play for who left."""
    return tuple(number for number, seat in enumerate(state.seats) if seat.away)


def who_can_win(state: GameState) -> tuple[int, ...]:
    """The seats of all who are there; every seat where nobody is."""
    present = tuple(number for number, seat in enumerate(state.seats) if not seat.away)
    return present or tuple(range(len(state.seats)))


def is_abandoned(state: GameState) -> bool:
    """Whether somebody has left, and nobody is there any more who could."""
    return any(seat.away for seat in state.seats) and not any(map(is_person, state.seats))


def taken_over(seat: Seat, bot: str) -> Seat:
    """The seat once this bot plays it for who left."""
    return replace(seat, kind="bot", bot=bot, away=seat.away or seat.kind)


def given_back(seat: Seat) -> Seat:
    """The seat once it is played again by who had left it."""
    return replace(seat, kind=seat.away or seat.kind, bot="" if seat.away else seat.bot, away="")


def absence_in(state: GameState) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...]]:
    """Who is away, the bots that play for them, and how often each seat has come back; nothing where none has.

    Going back changes none of it: so it stands in `GameRewound`.
    """
    away = away_from(state)
    returns = tuple(seat.returns for seat in state.seats)
    return away, tuple(state.seats[seat].bot for seat in away), returns if any(returns) else ()


def seats_after(earlier: GameState, event: GameRewound) -> tuple[Seat, ...]:
    """The seats of the earlier table, with who is away now."""
    bots = dict(zip(event.away, event.bots, strict=False))
    returns = dict(enumerate(event.returns))
    seats = (replace(given_back(seat), returns=returns.get(n, 0)) for n, seat in enumerate(earlier.seats))
    return tuple(taken_over(seat, bots[n]) if n in bots else seat for n, seat in enumerate(seats))
