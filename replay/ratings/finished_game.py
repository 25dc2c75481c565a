"""What ratings take from one finished game: who sat where, what came out, and in which pool it counts.

Nothing of it depends on other games, on rulings after the end or on which ids mean the same player: that is looked at
when games are put in order (`inputs`), so one game is read and verified once.
"""

from typing import Final

import msgspec

from replay.across.played_game import PlayedGame
from replay.ratings.times import pace_of

BOT_MARK: Final = "*"
"""With this begins who a bot of the service is; no id of a player does."""
PEOPLE, BOTS = "people", "bots"
POOLS: Final = (PEOPLE, BOTS)
UNDECIDED: Final = frozenset({"annulled", "called_off", "abandoned", "never_begun", "untouched"})
"""Reasons for which a game ended without a result that says who played better."""


class RatedSeat(msgspec.Struct, frozen=True):
    """A seat at the end of a game.

    Attributes:
        who: the id of the player, or of a bot its name behind `*`.
        place: its place in the order of play; 0 began.
        score: its score.
        won: whether it won, alone or with others.
        away: whether whoever took it had left, or was too late, and a bot played on.
    """

    who: str
    place: int
    score: int
    won: bool
    away: bool


class FinishedGame(msgspec.Struct, frozen=True):
    """A game that can count.

    Attributes:
        game: its id.
        ended: when its last entry was made: milliseconds since the epoch.
        system: the rule system's key.
        system_version: which version of it.
        pool: `people` or `bots`.
        pace: how long players could think: `live`, `slow` or `untimed`.
        equal: whether all agreed on a draw.
        seats: seat 0 first.
    """

    game: str
    ended: int
    system: str
    system_version: int
    pool: str
    pace: str
    equal: bool
    seats: tuple[RatedSeat, ...]

    @property
    def place(self) -> tuple[int, str]:
        """Its place in the order in which games count."""
        return self.ended, self.game


class Uncounted(msgspec.Struct, frozen=True):
    """A game that verifies and does not count, with the reason in a sentence."""

    reason: str


def finished_game(played: PlayedGame) -> FinishedGame | Uncounted:
    """What ratings take from a game, or why it does not count."""
    end, result = played.end, played.result
    if result.reason in UNDECIDED or not end.turn:
        return Uncounted(f"it ended without a result: {result.reason}")
    kinds = {seat.away or seat.kind for seat in end.seats}
    pool = PEOPLE if kinds == {"human"} else BOTS
    if pool == BOTS and "human" in kinds:
        return Uncounted("people and bots played together")
    names = [
        seat.player or (BOT_MARK + seat.bot if seat.kind == "bot" and not seat.away else "")
        for seat in end.seats
    ]
    if not all(names):
        return Uncounted("a seat does not say by an id who took it")
    seats = tuple(
        RatedSeat(
            who,
            (number - end.start_seat) % len(end.seats),
            result.scores[number] if number < len(result.scores) else 0,
            number in result.winners,
            bool(seat.away),
        )
        for number, (who, seat) in enumerate(zip(names, end.seats, strict=True))
    )
    return FinishedGame(
        played.game,
        played.entries[-1].at,
        end.system,
        end.system_version,
        pool,
        pace_of(end.clock),
        result.reason == "drawn",
        seats,
    )
