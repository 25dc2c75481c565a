"""The games that a rule is tried in: what several booklets say alike is played at a table of each of them."""

from dataclasses import dataclass
from typing import Any

import pytest

from events.rules.definition.rule_system import Rules
from tests.support.given import Given
from tests.support.given import given as given_any
from tests.support.tables import rules_of, seat_with


@dataclass(frozen=True)
class Giving:
    """`given` of `tests.support.given` at tables of one game."""

    rules: Rules

    def __call__(self, **table: Any) -> Given:
        """A running game; what is not said is as in `given`."""
        return given_any(**{"rules": self.rules, **table})

    def under(self, **options: str | int | bool) -> "Giving":
        """The same game with these options."""
        return Giving(rules_of(self.rules.system.key, self.rules.players, options))

    @property
    def seats(self) -> range:
        """The seats of a table of this game."""
        return range(self.rules.players)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases of a turn of this game, in their order."""
        return tuple(self.rules.phases)

    def __str__(self) -> str:
        """How a test of this game is called."""
        return f"{self.rules.system.key}-{self.rules.players}"


STANDARD = [Giving(rules_of(*table)) for table in (("classic", 3), ("extended", 5), ("extended", 7))]
"""The games of the standard turn in which players begin with two fields."""
ALL = [*STANDARD, Giving(rules_of("bean-duel", 2))]

standard_games = pytest.mark.parametrize("given", STANDARD, ids=str)
"""A test at a table of each game of the standard turn."""
all_games = pytest.mark.parametrize("given", ALL, ids=str)
"""A test at a table of each Bohnanza without women: those games, and the bean duel."""


def trading(given: Giving) -> Given:
    """Seat 0 trades: revealed are soy (1) and red (2). Numbers in the hands run from 1."""
    return given(
        phase="trade",
        hand=("blue", "chili", "blue"),
        revealed=("soy", "red"),
        others={1: seat_with(("stink", "red", "stink")), 2: seat_with(("green", "blue"))},
    )
