"""What happens around a game: setting up, seats, chance, the end."""

from typing import ClassVar

from events.commands.base import NOBODY
from events.commands.clock import ClockSettings
from events.commands.dealing import Dealing
from events.domain_events.base import Card, DomainEvent


class GameCreated(DomainEvent, frozen=True):
    """A table was set up; everything that the game is pinned to, and how many seconds bots wait in trading.

    `committed_at`: when the commitment was given out, where that was before the game was requested (milliseconds
    since the epoch). `close_after`: the number of seconds without an event after which the host may close the game.
    `dealing`: the deal of a round, which all its tables share.
    """

    game: str
    system: str
    system_version: int
    engine_version: int
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


class SeatTaken(DomainEvent, frozen=True):
    """A person, a bot of ours or another program sat down; `player` says who that is in all their games, by an id."""

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


class GameStarted(DomainEvent, frozen=True):
    """Every seat is taken; everybody has this many fields."""

    fields: int


class DealerCalled(DomainEvent, frozen=True):
    """Chance is due: only the dealer can act.

    `task` is `starting_seat`, `shuffle` or `secret`. For a shuffle, `pile` says which, and what was under
    way goes on afterwards: `purpose` (`deal`, `reveal`, `draw`, `refill`, or `redeal` after going back), and
    `count` cards
    still owed to `seat`.
    """

    task: str
    pile: str = ""
    purpose: str = ""
    seat: int = 0
    count: int = 0


class StartingSeatChosen(DomainEvent, frozen=True):
    """Who begins."""

    seat: int


class PileShuffled(DomainEvent, frozen=True):
    """A pile was shuffled for the `number`-th time; `order` is the new pile, top card first."""

    pile: str
    number: int
    order: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"order": NOBODY}


class HandDealt(DomainEvent, frozen=True):
    """A seat got its first hand, front card first."""

    seat: int
    cards: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"cards": "seat"}


class PileExhausted(DomainEvent, frozen=True):
    """The last card left the pile, for the `times`-th time."""

    pile: str
    times: int


class GameEnded(DomainEvent, frozen=True):
    """The game is over: the coins of each seat, who won, and why it ended.

    `unit` says what the scores count: `coins`, or `cents` of a coin. Where a ruling ended it, `reason` is `annulled`,
    `awarded` or `replaced`; where everybody left, `abandoned`; where all agreed, `drawn` or `called_off`; where the
    host closed it, `never_begun` or `untouched`.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    unit: str = "coins"


class SecretRevealed(DomainEvent, frozen=True):
    """The dealer opened its secret: from here on anybody can recompute every shuffle."""

    secret: str


TABLE = (
    GameCreated
    | SeatTaken
    | GameStarted
    | DealerCalled
    | StartingSeatChosen
    | PileShuffled
    | HandDealt
    | PileExhausted
    | GameEnded
    | SecretRevealed
)
