"""The random games over which the laws are checked: every number of players with every option."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from events.codec import decode_event
from events.domain_events import DomainEvent
from events.recorded import RecordedEvent
from events.rules.evolve import evolve
from events.rules.state import INITIAL_STATE, GameState
from tests.support.strategies import Dice, Opening, Step, opening, option_sets, play_on
from tests.support.tables import OptionValues as Options

SETUPS = [(players, options) for players in (3, 4, 5) for options in option_sets(players)]

every_setup = pytest.mark.parametrize(
    ("players", "options"),
    SETUPS,
    ids=[f"{players}-{'-'.join(map(str, o.values()))}" for players, o in SETUPS],
)
"""A test for each way to set up a table."""

some_setups = pytest.mark.parametrize(
    ("players", "options"), SETUPS[::4], ids=[f"{p}-{'-'.join(map(str, o.values()))}" for p, o in SETUPS[::4]]
)
"""A test for some of them, with every number of players among them: for laws that take long to check."""


@cache
def _played(players: int, options: tuple[tuple[str, str | int | bool], ...]) -> tuple[Opening, list[Step]]:
    begun = opening(f"{players} {options}", players, dict(options))
    return begun, list(play_on(begun.table, Dice(options)))


def played(players: int, options: Options) -> tuple[Opening, list[Step]]:
    """The random game of this setup: how it began, and every command up to the end."""
    return _played(players, tuple(options.items()))


def whole_log(players: int, options: Options) -> tuple[Opening, list[RecordedEvent]]:
    """The random game of this setup: how it began, and its log up to the end."""
    begun, steps = played(players, options)
    return begun, begun.log + [entry for step in steps for entry in step.entries]


def happenings(log: list[RecordedEvent]) -> Iterator[tuple[GameState, DomainEvent, GameState]]:
    """Every event of a game with the table before and after it."""
    events = [decode_event(entry) for entry in log]
    states = [INITIAL_STATE]
    for event in events:
        states.append(evolve(states[-1], event))
    for event, (before, after) in zip(events, pairwise(states), strict=True):
        yield before, event, after
