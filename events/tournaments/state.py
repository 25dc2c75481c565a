"""A tournament as it stands."""

from typing import Final

import msgspec

from events.tournaments.events import Standing, TournamentCreated

KNOCKOUT: Final = "knockout"
LEAGUE: Final = "league"
SWISS: Final = "swiss"
DUPLICATE: Final = "duplicate"
FORMATS: Final = (KNOCKOUT, LEAGUE, SWISS, DUPLICATE)

REGISTERING: Final = "registering"
RUNNING: Final = "running"
FINISHED: Final = "finished"
STATUSES: Final = (REGISTERING, RUNNING, FINISHED)

PLAYED: Final = "played"
LATE: Final = "late"
GIVEN_UP: Final = "given_up"
ANNULLED: Final = "annulled"
AWARDED: Final = "awarded"
REPLACED: Final = "replaced"
RULINGS: Final = (ANNULLED, AWARDED, REPLACED)
"""What a ruling can make of a table."""


class Player(msgspec.Struct, frozen=True):
    """Somebody who takes part."""

    player: str
    name: str
    bot: str = ""
    seed: str = ""
    withdrew: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What a table counts as; without winners it decided nothing."""

    kind: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    """The seats that rank behind all others: they had left, or were waited for when it was late."""
    reason: str = ""
    """Why the game of a table that was given up could not be set up or read."""


class Table(msgspec.Struct, frozen=True):
    """A table of a round."""

    players: tuple[str, ...]
    """By seat."""
    game: str = ""
    outcome: Outcome | None = None
    """None while it is played."""
    rulings: int = 0
    """How often somebody has ruled on it."""


class Round(msgspec.Struct, frozen=True):
    """A round."""

    number: int
    at: int
    """When it was paired, in milliseconds since 1970-01-01 UTC."""
    seed: str
    tables: tuple[Table, ...]
    byes: tuple[str, ...] = ()
    deal: str = ""
    is_closed: bool = False
    secret: str = ""

    @property
    def is_over(self) -> bool:
        """Whether every table has an outcome."""
        return all(table.outcome is not None for table in self.tables)


class Tournament(msgspec.Struct, frozen=True):
    """A tournament."""

    settings: TournamentCreated
    organiser: str
    """The id of the key that announced it."""
    created: int
    players: tuple[Player, ...] = ()
    """In the order in which they registered, which the pairings follow from."""
    key: str = ""
    """The key of all pairings, in hex; empty while players can register."""
    rounds: tuple[Round, ...] = ()
    standings: tuple[Standing, ...] | None = None
    """The final table; None before the end."""

    @property
    def status(self) -> str:
        """One of `STATUSES`."""
        if self.standings is not None:
            return FINISHED
        return RUNNING if self.key else REGISTERING

    @property
    def present(self) -> tuple[str, ...]:
        """Who takes part and has not withdrawn."""
        return tuple(each.player for each in self.players if not each.withdrew)

    @property
    def open_round(self) -> Round | None:
        """The round that is played; None between rounds."""
        last = self.rounds[-1] if self.rounds else None
        return None if last is None or last.is_closed else last

    def find_player(self, player: str) -> Player | None:
        """The player with this id; None where there is none."""
        return next((each for each in self.players if each.player == player), None)

    def find_table(self, number: int, table: int) -> Table | None:
        """A table by its round and its number in it; None where there is none."""
        if not 1 <= number <= len(self.rounds):
            return None
        tables = self.rounds[number - 1].tables
        return tables[table - 1] if 1 <= table <= len(tables) else None
