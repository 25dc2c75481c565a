"""What can happen to a tournament. These names are the storage format: never rename one, nor a field.

A player is named by an id that the integrator chose, a seat by its number from 0, rounds and tables from 1. A table's
players stand in the order of their seats.
"""

from typing import Final

import msgspec

from events.chain.canonical import snake_case
from events.commands import ClockSettings


class TournamentEvent(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Base of all of them."""


class TournamentCreated(TournamentEvent, frozen=True, kw_only=True):
    """A tournament was announced, with all that it is played by.

    `sizes` are the numbers of players that a table may have, the one that is wanted most first. `rounds` is 0 for a
    knock-out, which has as many as it takes. `commitment` is to the secret that all pairings follow from, `deals` to
    that of each duplicate round (SHA-256 of 32 bytes, in hex). `late_after`: so many seconds after a round was paired
    a table that is not over is late.
    """

    tournament: str
    name: str
    system: str
    format: str
    sizes: tuple[int, ...]
    commitment: str
    rounds: int = 0
    options: dict[str, str | int | bool] = {}
    clock: ClockSettings | None = None
    late_after: int | None = None
    deals: tuple[str, ...] = ()


class PlayerRegistered(TournamentEvent, frozen=True):
    """Somebody takes part: a person, or a bot of ours by its name. `seed` is their own share of chance.

    Without a `name` the name to show lies beside the id, and games name the player by the id as well.
    """

    player: str
    name: str = ""
    bot: str = ""
    seed: str = ""


class PlayerWithdrew(TournamentEvent, frozen=True):
    """Somebody is paired no more; what they have played counts."""

    player: str


class RegistrationClosed(TournamentEvent, frozen=True):
    """The field is known: the secret of the pairings is opened, and bound to everybody's seeds."""

    secret: str


class RoundPaired(TournamentEvent, frozen=True):
    """Who meets whom, and who has a bye, as it follows from the tournament and this seed.

    `deal` is the seed that all tables of a duplicate round are dealt by, besides their secret.
    """

    round: int
    seed: str
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    deal: str = ""


class TableStarted(TournamentEvent, frozen=True):
    """The game of a table was set up."""

    round: int
    table: int
    game: str


class TableGivenUp(TournamentEvent, frozen=True):
    """The game of a table could not be set up or read, for this reason: the table decided nothing."""

    round: int
    table: int
    reason: str


class TableFinished(TournamentEvent, frozen=True):
    """The game of a table is over: how, where its log ended, and the seats whose players had left it by then.

    Of a game that was closed because nothing happened in it, `left` has the seats that it waited for too.
    """

    round: int
    table: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    version: int
    hash: str
    left: tuple[int, ...] = ()


class TableForfeited(TournamentEvent, frozen=True):
    """A table was late, and is closed as it stands: its game waited for the seats `late`.

    `version` and `hash` say where the game's log was; 0 and nothing for a table whose game was never set up.
    """

    round: int
    table: int
    late: tuple[int, ...]
    version: int = 0
    hash: str = ""


class TableRuled(TournamentEvent, frozen=True):
    """Somebody ruled what a table counts as.

    `kind` is `annulled`; `awarded`, to the `winners`; or `replaced`, by `winners` and `scores`. `case` is the number
    of the dispute about the game that says so.
    """

    round: int
    table: int
    kind: str
    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    case: int = 0


class RoundClosed(TournamentEvent, frozen=True):
    """Every table of the round is over; the secret of its deal is opened, where it was a duplicate round."""

    round: int
    secret: str = ""


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's line of the table; `standings` says what each figure is."""

    place: int
    """From 1; those who cannot be told apart share one."""
    player: str
    points: int
    wins: int = 0
    opponents: int = 0
    coins: int = 0
    played: int = 0
    byes: int = 0
    reached: int = 0
    """In a knock-out: the last round that they were in."""
    last: int = 0
    """In a knock-out: their points in that round."""
    withdrew: bool = False


class TournamentFinished(TournamentEvent, frozen=True):
    """The final table. A ruling that comes later is followed by the table as it is then."""

    standings: tuple[Standing, ...]


TYPES: Final[dict[str, type[TournamentEvent]]] = {
    snake_case(each.__name__): each for each in TournamentEvent.__subclasses__()
}
"""By the name under which they are stored."""


class TournamentEventRecord(msgspec.Struct, frozen=True):
    """An event of a tournament, with who brought it about (the id of a key, or `fieldbook`) and when."""

    at: int
    by: str
    event: TournamentEvent
