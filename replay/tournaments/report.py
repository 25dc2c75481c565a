"""What a check of a tournament found: a value that people read and machines store."""

from typing import Final

import msgspec

from events.tournaments.events import Standing

LOG: Final = "log"
DECIDED: Final = "decided"
RECORDS: Final = "records"
PLAYERS: Final = "players"
RULES: Final = "rules"
DEALS: Final = "deals"
RESULTS: Final = "results"
COMPLETE: Final = "complete"

CHECKS: Final = {
    LOG: "the log can be read, and each entry is linked to the one before",
    DECIDED: "each entry is what the rules of tournaments bring about: pairings, byes, rulings, every final table",
    RECORDS: "each table's record verifies, and its chain ends, or passes by, where the log says",
    PLAYERS: "in each seat of each table sits who was paired there",
    RULES: "each table was played by the tournament's system, options and clock, with one catalogue",
    DEALS: "the tables of a duplicate round had the deal that the tournament had committed to",
    RESULTS: "each result is the one of its record; a late table waited for whom the log says",
    COMPLETE: "there is a record of each table that is over",
}
"""Every check by name, with what it establishes."""


class TournamentFinding(msgspec.Struct, frozen=True):
    """One thing that does not hold.

    Attributes:
        check: the name of the check that failed, one of `CHECKS`.
        entry: the number of the entry of the tournament's log that it is about; 0 where it is about none.
        reason: what is wrong, in a sentence.
        game: the game that it is about; empty where it is about none.
    """

    check: str
    entry: int
    reason: str
    game: str = ""


class GivenUp(msgspec.Struct, frozen=True):
    """A table whose game could not be set up, and why.

    Attributes:
        round: the round.
        table: the table in it.
        reason: why.
    """

    round: int
    table: int
    reason: str


class Ruled(msgspec.Struct, frozen=True):
    """A ruling that counts in place of a result: who gave it, about which table, and why.

    Attributes:
        round: the round.
        table: the table in it.
        kind: what the table counts as since.
        by: the id of the key that gave it, or `fieldbook` for what arbiters ruled in a dispute.
        case: the number of the dispute about the game; 0 where the organiser ruled.
        reason: why.
    """

    round: int
    table: int
    kind: str
    by: str
    case: int
    reason: str


class TournamentReport(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of checking one tournament; it serialises to JSON as it is.

    Attributes:
        ok: whether everything holds.
        tournament: its id.
        name: its name.
        format: its format.
        system: the rule system of its tables.
        status: how far it has come by its log.
        entries: how many entries of the log hold.
        head: the chain hash after the last of them.
        players: how many have registered.
        rounds: how many rounds were paired.
        tables: how many tables they have.
        late: how many of them were closed because they were late.
        given_up: the tables whose games could not be set up or read, in order.
        records: how many records were held against them.
        rulings: what was ruled, in order.
        standings: the table as it follows from the log, best first.
        names: what the players are called, by their ids.
        checks: how often each check was made.
        findings: what does not hold.
    """

    ok: bool
    tournament: str = ""
    name: str = ""
    format: str = ""
    system: str = ""
    status: str = ""
    entries: int = 0
    head: str = ""
    players: int = 0
    rounds: int = 0
    tables: int = 0
    late: int = 0
    given_up: tuple[GivenUp, ...] = ()
    records: int = 0
    rulings: tuple[Ruled, ...] = ()
    standings: tuple[Standing, ...] = ()
    names: dict[str, str] = {}
    checks: dict[str, int] = {}
    findings: tuple[TournamentFinding, ...] = ()
