"""The random games over which the laws are checked: every registered rule system for every number of players.

A system joins by being registered. Its options are tried in turn, several at once, so that each value of each of
them occurs somewhere.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import TypeVar

import pytest

from events.domain_events import DomainEvent
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.definition.rule_system import Rules
from events.rules.evolving.evolve import evolve
from events.rules.systems.registry import BY_KEY
from events.rules.table.state import INITIAL_STATE, GameState
from tests.laws.decks import RARE
from tests.support.depth import depth
from tests.support.strategies import Dice, Opening, Step, opening, option_sets, play_on
from tests.support.tables import OptionValues, rules_of

Test = TypeVar("Test", bound=Callable[..., None])
MOST_SETUPS = depth(1, 3)
"""So many ways to set up a table are tried for each number of players."""


@dataclass(frozen=True)
class Setup:
    """A way to set up a table."""

    system: str
    players: int
    chosen: tuple[tuple[str, str | int | bool], ...]

    @property
    def options(self) -> OptionValues:
        """The options, by name."""
        return dict(self.chosen)

    @cached_property
    def rules(self) -> Rules:
        """The rules of such a table; resolving them takes longer than an event of a game."""
        return rules_of(self.system, self.players, self.options)

    def __str__(self) -> str:
        """How a test over it is called."""
        return "-".join(map(str, (self.system, self.players, *(value for _, value in self.chosen))))


TABLES = [(key, players) for key, system in BY_KEY.items() for players in system.players]
"""Every system with every number of players."""


def _setups(key: str, players: int) -> list[Setup]:
    """Some of the ways, which differ from one number of players to the next."""
    ways = [tuple(options.items()) for options in option_sets(players, key)]
    first = MOST_SETUPS * BY_KEY[key].players.index(players)
    chosen = [ways[(first + step) % len(ways)] for step in range(min(MOST_SETUPS, len(ways)))]
    return [Setup(key, players, options) for options in chosen]


SETUPS = [setup for key, players in TABLES for setup in _setups(key, players)]
FEW_SETUPS = [next(each for each in SETUPS if (each.system, each.players) == table) for table in TABLES]


def _on_one_worker(setups: list[Setup]) -> list[object]:
    """All tests over a setup go to one worker, so that its game is played once."""
    return [pytest.param(setup, marks=pytest.mark.xdist_group(f"game {setup}")) for setup in setups]


def every_setup(test: Test) -> Test:
    """A test for each way to set up a table; `make test` takes one for each system and number of players."""
    marked: Test = pytest.mark.parametrize("setup", _on_one_worker(SETUPS), ids=str)(test)
    deep: Test = pytest.mark.deep(marked)
    return deep


some_setups = pytest.mark.parametrize("setup", _on_one_worker(FEW_SETUPS), ids=str)
"""A test for each system and number of players: for laws that take long to check."""


@cache
def played(setup: Setup) -> tuple[Opening, list[Step]]:
    """The random game of this setup: how it began, and every command up to the end."""
    begun = opening(setup, setup.players, setup.options, system=setup.system)
    return begun, list(play_on(begun.table, Dice(setup)))


GAMES_WITH_RARE_DECKS = 9
"""So many of them are played of each system that has such decks."""
RARE_GAMES = [(system, number) for system in RARE for number in range(GAMES_WITH_RARE_DECKS)]


@cache
def played_rare(game: tuple[str, int]) -> tuple[Opening, list[Step]]:
    """A random game with a deck that makes the system's rare moments common; decks and players take turns."""
    system, number = game
    players = BY_KEY[system].players[number % len(BY_KEY[system].players)]
    deck = RARE[system][number % len(RARE[system])]
    begun = opening(f"rare {game}", players, {"start_seat": "random"}, deck, system=system)
    return begun, list(play_on(begun.table, Dice(f"rare {game}")))


def whole_log(setup: Setup) -> tuple[Opening, list[RecordedEvent]]:
    """The random game of this setup: how it began, and its log up to the end."""
    begun, steps = played(setup)
    return begun, begun.log + [entry for step in steps for entry in step.entries]


def happenings(log: list[RecordedEvent]) -> Iterator[tuple[GameState, DomainEvent, GameState]]:
    """Every event of a game with the table before and after it."""
    events = [decode_event(entry) for entry in log]
    states = [INITIAL_STATE]
    for event in events:
        states.append(evolve(states[-1], event))
    for event, (before, after) in zip(events, pairwise(states), strict=True):
        yield before, event, after
