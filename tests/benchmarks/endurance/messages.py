"""What the processes of a run tell each other, a line of JSON each."""

from typing import Any

import msgspec

from tests.benchmarks.chosen import ChosenGame
from tests.benchmarks.endurance.accounts import Acknowledged


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """The first line to a process: where the service is, how many games are played at once, and how fast together."""

    port: int
    games: int
    rate: float | None
    """Commands per second; None for as fast as they are answered, until `Pace` comes."""


class Play(msgspec.Struct, frozen=True, tag=True):
    """To the players: a game to be played when one has ended."""

    game: ChosenGame


class Pace(msgspec.Struct, frozen=True, tag=True):
    """To the players: so many commands per second from now on."""

    rate: float


class Watch(msgspec.Struct, frozen=True, tag=True):
    """To the spectators: a game to be watched from now on."""

    game: str


class Stop(msgspec.Struct, frozen=True, tag=True):
    """To any of them: come to rest, say `Done`, and end."""


class Begun(msgspec.Struct, frozen=True, tag=True):
    """From the players: a game is begun, another one may be handed in."""

    game: str


class Ended(msgspec.Struct, frozen=True, tag=True):
    """From the players: a game is played to its end."""

    game: str


class Answered(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """From the players: a command was acknowledged."""

    game: str
    told: Acknowledged
    moment: float
    """When, as `time.monotonic` has it, which all processes of a machine share."""
    seconds: float
    """From when the command was due."""
    tries: int
    known: bool
    """Whether the service had known it already: an earlier try had counted, and only its answer was lost."""


class Seen(msgspec.Struct, frozen=True, tag=True):
    """From the spectators: moments at which events came, each with how long that was after their command."""

    lags: tuple[tuple[float, float], ...]


class Watched(msgspec.Struct, frozen=True, tag=True):
    """From the spectators: a stream has come to the end of its game, at this version."""

    game: str
    version: int


class Unanswered(msgspec.Struct, frozen=True, tag=True):
    """From the players: a command got no answer for too long, and is repeated no more."""

    game: str


class Wrong(msgspec.Struct, frozen=True, tag=True):
    """From any of them: something that must not be."""

    text: str


class Done(msgspec.Struct, frozen=True, tag=True):
    """From any of them: nothing more will come."""


Order = Play | Pace | Watch | Stop
Told = Begun | Ended | Answered | Seen | Watched | Unanswered | Wrong | Done
_orders: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Order)
_told: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Told)


def order(line: bytes) -> Order:
    """An order, read."""
    found: Order = _orders.decode(line)
    return found


def told(line: bytes) -> Told:
    """What was told, read."""
    found: Told = _told.decode(line)
    return found
