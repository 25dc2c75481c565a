"""Comparing choices: each is played on at the same tables, which are dealt out as long as the budget lasts."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from events import commands as c
from events.bots.lookahead.dealing_out import deal_out
from events.bots.lookahead.playing_on import ThoughtGame
from events.bots.lookahead.worth import Worth
from events.bots.situation import Situation
from events.rules.table.state import GameState

BUDGET = 600
"""So many commands are played in thought for a move; the table on which they run out is still finished."""
FEWEST = 3
"""So many tables are dealt out at least, whatever they take."""
HOPE = 1.0
"""A choice is played on no further that is behind by more than so many standard errors."""
CERTAINTY = 1.5
"""So many standard errors has a choice to be better than the first one to take its place."""
DOUBT = 1.0
"""A standard error is reckoned as if one table more had been off by so many coins: few tables may agree by chance."""


@dataclass(slots=True)
class Considered:
    """A choice, and what came of it in thought."""

    command: c.Command
    coins: list[float] = field(default_factory=list)
    """What the seat had at the horizon, on each table dealt out."""
    leads: list[float] = field(default_factory=list)
    """How far it was ahead of the others' mean there."""

    @property
    def expected_coins(self) -> float:
        """The mean of the coins."""
        return sum(self.coins) / len(self.coins)

    @property
    def expected_lead(self) -> float:
        """The mean of the leads."""
        return sum(self.leads) / len(self.leads)


def consider(
    situation: Situation,
    veiled: GameState,
    choices: Sequence[c.Command],
    chance: random.Random,
    budget: int = BUDGET,
) -> list[Considered]:
    """Play each choice on; all of them on the same tables, so luck is the same for all.

    What falls clearly behind the one that leads is played on no further; the first one always is.
    A choice that the rules refuse on a table, because it needs what is not there, counts there as nothing done.

    Raises:
        DoesNotAddUp
    """
    worth = Worth(situation)
    considered = [Considered(each) for each in choices]
    horizon = veiled.turn + len(veiled.seats) + 1
    spent = tables = 0
    running = considered
    while tables < FEWEST or (len(running) > 1 and spent < budget):
        table, luck = deal_out(situation, veiled, chance), chance.random()
        tables += 1
        for each in running:
            thought = ThoughtGame(worth, table, random.Random(luck))  # noqa: S311 (play, not cryptography)
            thought.try_command(situation.seat, each.command)
            thought.play_until(horizon)
            spent += thought.commands
            each.coins.append(worth.of(thought.state, situation.seat))
            each.leads.append(worth.lead(thought.state, situation.seat))
        if tables >= FEWEST:
            running = _still_running(running)
    return considered


def best_of(considered: Sequence[Considered], certainty: float = CERTAINTY) -> Considered:
    """The choice that leads furthest; the first one, unless another is clearly better on the same tables."""
    first = considered[0]
    best, most = first, 0.0
    for each in considered[1:]:
        mean, error = _compare(each, first)
        if mean > certainty * error and mean > most:
            best, most = each, mean
    return best


def _still_running(running: Sequence[Considered]) -> list[Considered]:
    """The first choice, and those that may still turn out to be the best."""
    leader = max(running, key=lambda each: each.expected_lead)
    kept = []
    for place, each in enumerate(running):
        behind, error = _compare(leader, each)
        if not place or behind <= HOPE * error or each is leader:
            kept.append(each)
    return kept


def _compare(one: Considered, other: Considered) -> tuple[float, float]:
    """How much further one choice led on the tables that both were played on, with the standard error."""
    gains = [own - others for own, others in zip(one.leads, other.leads, strict=False)]
    mean = sum(gains) / len(gains)
    return mean, sqrt(sum((gain - mean) ** 2 for gain in gains) + DOUBT**2) / len(gains)
