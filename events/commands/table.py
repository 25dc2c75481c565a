"""What the dealer and the host may ask for: chance is a player, and so is whoever sets up the table."""

from typing import ClassVar

from events.commands.base import NOBODY, Command
from events.commands.clock import ClockSettings
from events.commands.dealing import Dealing


class Shuffle(Command, frozen=True):
    """The dealer lays a pile in this order, top card first."""

    pile: str
    order: tuple[str, ...]

    private: ClassVar[dict[str, str]] = {"order": NOBODY}


class ChooseStartingSeat(Command, frozen=True):
    """The dealer names the starting player where the option `start_seat` is `random`."""

    seat: int


class RevealSecret(Command, frozen=True):
    """The dealer opens the secret it committed itself to (64 hex digits): the last command of a game."""

    secret: str


class CreateGame(Command, frozen=True):
    """The host sets up a table: rule system, players, options, catalogue, commitment, seconds of bots' patience.

    `committed_at`: when the commitment was given out, where that was before the game was requested (milliseconds
    since the epoch). `close_after`: the number of seconds without an event after which the host may close the game.
    `dealing`: the deal of a round.
    """

    game: str
    system: str
    players: int
    options: dict[str, str | int | bool]
    catalogue: str
    commitment: str
    people_patience: int = 0
    program_patience: int = 0
    committed_at: int | None = None
    clock: ClockSettings | None = None
    close_after: int | None = None
    dealing: Dealing | None = None


class TakeSeat(Command, frozen=True):
    """The host lets a person, a bot or another program take a seat; `seed` is the seat's own share of chance.

    `player`: who that is in all their games, by an id; empty where nobody says.
    """

    seat: int
    name: str
    kind: str
    bot: str = ""
    bot_seed: str = ""
    seed: str = ""
    program: str = ""
    program_version: str = ""
    player: str = ""

    private: ClassVar[dict[str, str]] = {"bot_seed": NOBODY}


TABLE = Shuffle | ChooseStartingSeat | RevealSecret | CreateGame | TakeSeat
