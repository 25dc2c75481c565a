"""Plays the games of `tests/logs` anew and writes their records: `python -m tests.logs.regenerate`.

Run it to add a log. It writes missing files only: a record that was released must verify with every later engine.
"""

import gzip
from dataclasses import dataclass
from pathlib import Path

from events.commands import RuleGame
from events.log.disclosure import ALL, PUBLIC
from service.simulation.self_play import self_play
from tests.support.clocked_games import clocked_game
from tests.support.left_games import early_record, left_record
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.rounds import closed_table, opened
from tests.support.ruled_games import disputed_record, ruled_record
from tests.support.strategies import option_sets

LOGS = Path(__file__).parent
DUPLICATES = (("duplicate_fields", True),)
RANDOM_START = (("start_seat", "random"),)
DISTINCT = (("phase1_distinct_fields", True),)
STRICT = (("bean_protection", "strict"), ("start_seat", "random"))


@dataclass(frozen=True)
class Log:
    """One file: which game it holds, for whom."""

    file: str
    seed: int
    players: int
    options: tuple[tuple[str, str | int | bool], ...] = ()
    viewer: int = ALL
    system: str = "classic"
    most_offers: int = 12
    bots: str = ""
    """The seed of a game between greedy bots; empty for random play."""
    programs: int = 0
    """How many seats are programs; with any, players say that they are ready."""
    disputed: bool = False
    """Whether it is interrupted by rulings and take-backs."""
    ruling: RuleGame | None = None
    """The ruling that ends it."""
    clocked: bool = False
    """Whether it is played by a clock; the first seat never says anything."""
    left: bool = False
    """Whether somebody leaves it, comes back, and leaves it again."""
    early: str = ""
    """Why it ends before its time, where no ruling ends it."""
    of_round: bool = False
    """Whether it is dealt like all tables of its round."""

    def game(self) -> RecordedGame:
        """Play it."""
        if self.disputed:
            return disputed_record(self.seed, self.system, self.players)
        if self.clocked:
            return clocked_game(self.seed, self.system, self.players, silent=1)
        if self.ruling is not None:
            return ruled_record(self.seed, self.system, self.players, self.ruling)
        if self.left or self.early:
            return self._left()
        if self.bots:
            return greedy_game(self.system, self.players, self.bots)
        return round_table(self.seed, self.players) if self.of_round else self._at_random()

    def _at_random(self) -> RecordedGame:
        return recorded_game(
            self.seed,
            self.players,
            self.options,
            most_offers=self.most_offers,
            system=self.system,
            programs=self.programs,
        )

    def _left(self) -> RecordedGame:
        if self.early:
            return early_record(self.seed, self.system, self.players, self.early)
        return left_record(self.seed, self.system, self.players)


FEW_OFFERS = 2
"""Trading commands in a game that was searched for: its record stays short."""


def searched_options(system: str, players: int, seed: int) -> tuple[tuple[str, str | int | bool], ...]:
    """The options of the game with this seed: from seed to seed the next way to set up the table."""
    ways = option_sets(players, system)
    return tuple(ways[seed % len(ways)].items())


def greedy_game(system: str, players: int, seed: str) -> RecordedGame:
    """A game between greedy bots."""
    table, log = self_play(system, players, ("greedy",) * players, seed, {})
    return RecordedGame(table, tuple(log))


def round_table(number: int, players: int) -> RecordedGame:
    """A table of a duplicate round that is over."""
    name = f"table-{number}"
    return opened(closed_table(name, number, players=players, options=(), most_offers=FEW_OFFERS))


SEARCHED = (
    ("classic", 3, 4015),
    ("classic", 4, 4028),
    ("classic", 5, 4028),
    ("extended", 3, 4028),
    ("extended", 3, 4019),
    ("extended", 4, 4016),
    ("extended", 4, 4026),
    ("extended", 5, 4009),
    ("extended", 6, 4016),
    ("extended", 6, 4014),
    ("extended", 7, 4001),
    ("bean-duel", 2, 4023),
    ("bean-duel", 2, 4011),
    ("ladybohn", 3, 4024),
    ("ladybohn", 3, 4117),
    ("ladybohn", 4, 4003),
    ("ladybohn", 4, 4008),
    ("ladybohn", 5, 4023),
    ("ladybohn-expansion", 3, 4027),
    ("ladybohn-expansion", 4, 4002),
    ("ladybohn-expansion", 5, 4005),
)
"""System, players and seed of the games that `tests/logs/search.py` has found."""
GREEDY = (
    ("ladybohn-expansion", 5, "levy-7"),
    ("ladybohn-expansion", 5, "levy-24"),
    ("ladybohn-expansion", 4, "levy-10"),
)
"""System, players and seed of games between greedy bots, who collect make-up beans on purpose."""
DISPUTED = (
    ("classic", 3),
    ("extended", 3),
    ("bean-duel", 2),
    ("ladybohn", 3),
    ("ladybohn-expansion", 3),
    ("the-duel", 2),
)
"""System and players of the games that are interrupted and go on."""
WON_BY_FRAUD = "Seats 0 and 2 are played by one person, from one address."
RULED = (
    ("classic", 3, RuleGame(1, "annulled", "Ada", "the whole game", WON_BY_FRAUD)),
    ("the-duel", 2, RuleGame(1, "awarded", "Ada", "the game", "Seat 1 did not come back.", winners=(0,))),
    (
        "ladybohn",
        3,
        RuleGame(
            1,
            "replaced",
            "Ada",
            "the result",
            "The three agreed on this result.",
            winners=(0, 2),
            scores=(7, 5, 7),
        ),
    ),
)
"""System and players of the games that a ruling ends, with that ruling."""

LEFT = (("classic", 3), ("ladybohn", 3))
"""System and players of the games that somebody leaves, comes back to, and leaves again."""
EARLY = (
    ("bean-duel", 2, "abandoned"),
    ("classic", 3, "drawn"),
    ("extended", 4, "called_off"),
    ("ladybohn", 3, "untouched"),
    ("the-duel", 2, "abandoned"),
    ("the-duel", 2, "never_begun"),
)
"""System and players of the games that end before their time, and why."""

WITH_PROGRAMS = ("classic", "extended", "ladybohn", "ladybohn-expansion")
"""The systems with trading, of each a game in which programs play and players are ready."""

ALL_LOGS = (
    *(
        Log(f"{system}/programs.ndjson.gz", 5101, 3, system=system, most_offers=4, programs=2)
        for system in WITH_PROGRAMS
    ),
    Log("classic/three-players.ndjson", 119, 3),
    Log("classic/four-players-strict-random-start.ndjson", 100, 4, STRICT),
    Log("classic/five-players.ndjson", 115, 5),
    Log("classic/five-players.public.ndjson", 115, 5, viewer=PUBLIC),
    Log("classic/five-players.seat-1.ndjson", 115, 5, viewer=1),
    *(
        Log(f"extended/{name}.ndjson.gz", seed, players, options, ALL, "extended", most_offers=4)
        for name, seed, players, options in (
            ("three-players", 200, 3, ()),
            ("four-players-duplicate-fields", 203, 4, DUPLICATES),
            ("five-players", 203, 5, ()),
            ("six-players-strict-random-start", 209, 6, STRICT),
            ("seven-players", 209, 7, ()),
        )
    ),
    *(
        Log(f"ladybohn/{name}.ndjson.gz", seed, players, options, viewer, "ladybohn", most_offers=60)
        for name, seed, players, options, viewer in (
            ("three-players", 1110, 3, (), ALL),
            ("three-players.public", 1110, 3, (), PUBLIC),
            ("three-players.seat-1", 1110, 3, (), 1),
            ("four-players-distinct-fields", 1396, 4, DISTINCT, ALL),
            ("five-players-strict-random-start", 1145, 5, STRICT, ALL),
        )
    ),
    *(
        Log(f"bean-duel/{name}.ndjson.gz", seed, 2, options, viewer, "bean-duel")
        for name, seed, options, viewer in (
            ("two-players", 230, (), ALL),
            ("two-players.public", 230, (), PUBLIC),
            ("two-players.seat-1", 230, (), 1),
            ("two-players-strict-random-start", 201, STRICT, ALL),
        )
    ),
    *(
        Log(f"the-duel/{name}.ndjson.gz", seed, 2, options, viewer, "the-duel")
        for name, seed, options, viewer in (
            ("two-players", 350, (), ALL),
            ("two-players.public", 350, (), PUBLIC),
            ("two-players.seat-1", 350, (), 1),
            ("two-players-random-start", 356, RANDOM_START, ALL),
        )
    ),
    Log("the-duel/two-players-revealed-gifts.ndjson.gz", 503, 2, system="the-duel", most_offers=4),
    *(
        Log(f"ladybohn-expansion/{name}.ndjson.gz", seed, players, options, viewer, "ladybohn-expansion")
        for name, seed, players, options, viewer in (
            ("three-players", 310, 3, (), ALL),
            ("four-players-strict-random-start", 300, 4, STRICT, ALL),
            ("five-players", 410, 5, (), ALL),
            ("five-players.public", 410, 5, (), PUBLIC),
            ("five-players.seat-1", 410, 5, (), 1),
        )
    ),
    *(
        Log(
            f"{system}/{players}-players-{seed}.ndjson.gz",
            seed,
            players,
            searched_options(system, players, seed),
            system=system,
            most_offers=FEW_OFFERS,
        )
        for system, players, seed in SEARCHED
    ),
    *(
        Log(f"{system}/{players}-players-{seed}.ndjson.gz", 0, players, system=system, bots=seed)
        for system, players, seed in GREEDY
    ),
    Log("ladybohn-expansion/three-bots.ndjson.gz", 0, 3, system="ladybohn-expansion", bots="log/500"),
    *(
        Log(f"{system}/disputed.ndjson.gz", 600, players, system=system, disputed=True)
        for system, players in DISPUTED
    ),
    *(
        Log(f"{system}/ended-{ruling.kind}.ndjson.gz", 610, players, system=system, ruling=ruling)
        for system, players, ruling in RULED
    ),
    Log("classic/clocked.ndjson.gz", 20, 3, clocked=True),
    *(Log(f"{system}/left.ndjson.gz", 620, players, system=system, left=True) for system, players in LEFT),
    *(
        Log(f"{system}/ended-{reason.replace('_', '-')}.ndjson.gz", 630, players, system=system, early=reason)
        for system, players, reason in EARLY
    ),
    Log("classic/round.ndjson.gz", 1, 5, of_round=True),
    *(
        Log(f"../../docs/examples/round/table-{number}.ndjson.gz", number, 5, viewer=PUBLIC, of_round=True)
        for number in (1, 2)
    ),
)


def main() -> None:
    """Write the files that are missing."""
    for log in ALL_LOGS:
        path = LOGS / log.file
        if path.exists():
            continue
        path.parent.mkdir(exist_ok=True)
        record = b"".join(log.game().record(log.viewer))
        path.write_bytes(gzip.compress(record, mtime=0) if path.suffix == ".gz" else record)
        print(f"wrote {log.file}")  # noqa: T201  # a command says what it does


if __name__ == "__main__":
    main()
