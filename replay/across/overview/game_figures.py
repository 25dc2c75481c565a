"""What one game adds to an overview: small, whatever the game's length."""

from collections import Counter

import msgspec

from events import domain_events as e
from replay.across.overview.trade_figures import TradeFigures, count_trades
from replay.across.overview.wait_figures import WaitFigures, count_waits
from replay.across.played_game import PlayedGame, Step
from replay.terminal.table_text import is_dated


class SeatFigures(msgspec.Struct, frozen=True):
    """One seat.

    Attributes:
        place: its place in the order of play, 0 for who began.
        kind: `human`, `program` or `bot`.
        bot: the bot that took it; empty for others.
        won: whether it won, alone or with others.
        score: its score in the game's unit; None where there is none.
        left: whether who took it had left at the end.
    """

    place: int
    kind: str
    bot: str
    won: bool
    score: int | None
    left: bool


class GameFigures(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        system, players, reason: what was played by how many, and why it ended.
        turns: how many turns were begun that count.
        minutes: how long it was played; None where no clock saw it, or it never began.
        seats: its seats, where it began.
        trades: what was traded for what, and what was given.
        offers, accepted: offers that count, and how many became trades.
        waits: by kind of who was waited for, and phase.
        pauses: how often a dispute held it up, by the dispute's reason.
        rulings: rulings that were applied, by kind.
        rewindings: how often it went back.
        expired: how often somebody's time was over.
    """

    system: str
    players: int
    reason: str
    turns: int
    minutes: float | None
    seats: tuple[SeatFigures, ...]
    trades: TradeFigures
    offers: int
    accepted: int
    waits: dict[tuple[str, str], WaitFigures]
    pauses: dict[str, int]
    rulings: dict[str, int]
    rewindings: int
    expired: int


def count_game(played: PlayedGame) -> GameFigures:
    """The figures of a game: the function of one game, for `map_games`."""
    steps = tuple(played.steps)
    effective = [step.event for step in steps if step.in_effect]
    return GameFigures(
        system=played.system,
        players=played.players,
        reason=played.result.reason,
        turns=played.end.turn,
        minutes=_minutes(steps),
        seats=_seats(played) if played.end.turn else (),
        trades=count_trades(played, steps),
        offers=sum(isinstance(event, e.OfferMade) for event in effective),
        accepted=sum(isinstance(event, e.TradeMade) for event in effective),
        waits=count_waits(played, steps),
        pauses=dict(Counter(step.event.reason for step in steps if isinstance(step.event, e.GamePaused))),
        rulings=dict(Counter(step.event.kind for step in steps if isinstance(step.event, e.RulingMade))),
        rewindings=len(played.rewindings),
        expired=sum(isinstance(step.event, e.TimeExpired) for step in steps),
    )


def _minutes(steps: tuple[Step, ...]) -> float | None:
    started = next((step.at for step in steps if isinstance(step.event, e.GameStarted)), None)
    ended = next(step.at for step in reversed(steps) if isinstance(step.event, e.GameEnded))
    return None if started is None or not is_dated(ended) else round((ended - started) / 60_000, 6)


def _seats(played: PlayedGame) -> tuple[SeatFigures, ...]:
    end, result = played.end, played.result
    return tuple(
        SeatFigures(
            place=(number - end.start_seat) % played.players,
            kind=seat.away or seat.kind,
            bot="" if seat.away else seat.bot,
            won=number in result.winners,
            score=result.scores[number] if number < len(result.scores) else None,
            left=bool(seat.away),
        )
        for number, seat in enumerate(end.seats)
    )
