"""What a bot is told when it is asked: no more than its seat may see."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from events import domain_events as e
from events.bots.greedy.style import GREEDY, Style
from events.commands import Command
from events.domain_events import Card
from events.rules.definition.forms import Form
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState


@dataclass(frozen=True, slots=True)
class Situation:
    """The table as one seat sees it, and what it may do there."""

    rules: Rules
    seat: int
    view: dict[str, Any]
    """Exactly what `player_view` shows this seat."""
    legal: list[Command | Form]
    offers_made: tuple[e.OfferMade, ...] = ()
    """This seat's own offers and counter-offers since the turn began, whatever became of them."""
    turn_events: tuple[e.DomainEvent, ...] = ()
    """What was offered, answered, traded, swapped and said since the turn began, as this seat may see it."""
    alone: bool = True
    """No further answers from others than bots are to be expected now."""
    expected: frozenset[int] = frozenset()
    """The seats whose answers a bot waits for."""
    table: GameState | None = None
    """The table veiled for this seat, for bots that play on from it in thought; None where nobody can."""
    style: Style = GREEDY
    """How the bot that is asked values and bargains, where it does so like the greedy bot."""

    @property
    def own(self) -> dict[str, Any]:
        """What lies before this seat, as in the view."""
        seat: dict[str, Any] = self.view["seats"][self.seat]
        return seat

    @property
    def active(self) -> bool:
        """Whether it is this seat's turn."""
        return bool(self.view["active"] == self.seat)

    @property
    def awaited(self) -> bool:
        """Whether the game does not go on without this seat."""
        return self.seat in self.view["waiting_for"]


Bot = Callable[[Situation, random.Random], Command | None]
"""Chooses a command; None means that there is nothing to do for now."""
Play = Callable[[Situation], Command | None]
"""How the greedy bot plays a phase, or a whole game: it leaves nothing to chance."""


def cards_of(numbered: Iterable[dict[str, Any]]) -> tuple[Card, ...]:
    """The cards of a view's numbered cards, in their order."""
    return tuple(each["card"] for each in numbered)
