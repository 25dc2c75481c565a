"""Which games the sweep plays, and what comes out of one."""

from dataclasses import dataclass
from itertools import product

from events.rules.systems.registry import system_named
from tests.support.tables import OptionValues

PLAYS = ("random", "greedy", "made-up", "leavers", "clocked")
"""How a game of the sweep is played."""
SHARES = {"random": 5, "greedy": 5, "made-up": 20, "leavers": 20, "clocked": 5}
"""So many of a thousand states are examined: exactness for every seat, and secrecy where no card is twice."""
LEAVE = 10
"""So many times in a thousand somebody leaves, comes back or speaks of the end, where people do."""


@dataclass(frozen=True)
class Game:
    """Which game to play."""

    system: str
    players: int
    play: str
    seed: int

    @property
    def options(self) -> OptionValues:
        """The options: from seed to seed the next of all the ways to combine them."""
        options = system_named(self.system).options
        ways = [*product(*(option.allowed(self.players) for option in options.values()))]
        return dict(zip(options, ways[self.seed % len(ways)], strict=True))

    @property
    def repeated_by(self) -> str:
        """The command that checks this game alone."""
        games = " ".join(f"--{play} {int(play == self.play)}" for play in PLAYS)
        return (
            f"python -m tests.laws --system {self.system} --players {self.players} {games} --seed {self.seed}"
        )

    def __str__(self) -> str:
        """What its chance follows from."""
        return f"{self.system} {self.players} {self.play} {self.seed}"


@dataclass
class Outcome:
    """What was played and checked, and what was found, if anything."""

    game: Game
    commands: int = 0
    events: int = 0
    states: int = 0
    """States in which the laws of every state were checked."""
    examined: int = 0
    """States in which the costly laws were checked as well."""
    finding: str = ""
