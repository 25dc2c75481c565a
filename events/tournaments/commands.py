"""What may be asked of a tournament."""

import msgspec

from events.tournaments.events import TournamentCreated


class CreateTournament(msgspec.Struct, frozen=True):
    """Announce a tournament that is played by this."""

    settings: TournamentCreated


class RegisterPlayer(msgspec.Struct, frozen=True):
    """Take part, as long as registration is open; without a name it lies beside the id, in no log."""

    player: str
    name: str = ""
    bot: str = ""
    seed: str = ""


class WithdrawPlayer(msgspec.Struct, frozen=True):
    """Be paired no more."""

    player: str


class CloseRegistration(msgspec.Struct, frozen=True):
    """Let it begin, with whoever has registered, and open the secret of the pairings."""

    secret: str


class PairRound(msgspec.Struct, frozen=True):
    """Say who meets whom in the next round."""


class StartTable(msgspec.Struct, frozen=True):
    """Note which game a table is."""

    round: int
    table: int
    game: str


class GiveUpTable(msgspec.Struct, frozen=True):
    """Close a table whose game cannot be set up or read; members as in `TableGivenUp`."""

    round: int
    table: int
    reason: str


class FinishTable(msgspec.Struct, frozen=True):
    """Note how the game of a table ended; members as in `TableFinished`."""

    round: int
    table: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    version: int
    hash: str
    left: tuple[int, ...] = ()


class ForfeitTable(msgspec.Struct, frozen=True):
    """Close a table that is late; members as in `TableForfeited`."""

    round: int
    table: int
    late: tuple[int, ...]
    version: int = 0
    hash: str = ""


class RuleTable(msgspec.Struct, frozen=True):
    """Rule what a table counts as; members as in `TableRuled`."""

    round: int
    table: int
    kind: str
    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    case: int = 0


class CloseRound(msgspec.Struct, frozen=True):
    """Note that every table is over, and open the secret of the deal of a duplicate round."""

    round: int
    secret: str = ""


class FinishTournament(msgspec.Struct, frozen=True):
    """Note the final table."""


Command = (
    CreateTournament
    | RegisterPlayer
    | WithdrawPlayer
    | CloseRegistration
    | PairRound
    | StartTable
    | GiveUpTable
    | FinishTable
    | ForfeitTable
    | RuleTable
    | CloseRound
    | FinishTournament
)


class Step(msgspec.Struct, frozen=True):
    """Somebody's command to a tournament."""

    command: Command
    by: str
    """The id of a key, or `fieldbook`."""
    at: int
    """When it arrived, in milliseconds since 1970-01-01 UTC."""


SERVICE = "fieldbook"
"""Who pairs rounds, starts tables, takes their results and closes what is late."""
