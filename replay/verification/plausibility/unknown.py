"""What the checks share: their type, and comparing cards of which a viewer knows only some."""

from collections.abc import Callable, Mapping
from typing import Any

from events.domain_events import UNKNOWN_CARD, Card, DomainEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState

Checks = Mapping[type[DomainEvent], Callable[[Rules, GameState, Any], None]]
"""The check of each event type that needs one besides that its seat and field are there."""

_SHOWN = 10


def may_be(named: tuple[Card, ...], lying: tuple[Card, ...]) -> bool:
    """Whether these can be the cards lying there, as far as they are known.

    >>> may_be(("blue", "?"), ("blue", "soy")), may_be(("blue",), ("soy",)), may_be(("?",), ())
    (True, False, False)
    """
    return len(named) == len(lying) and all(
        UNKNOWN_CARD in pair or pair[0] == pair[1] for pair in zip(named, lying, strict=True)
    )


def listed(cards: tuple[Card, ...]) -> str:
    """The cards, as a finding names them."""
    return ", ".join(cards[:_SHOWN]) + (" …" if len(cards) > _SHOWN else "") or "nothing"


def ordinal(number: int) -> str:
    """Which one it is, as a finding names it.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11)
    ('first', 'second', 'third', '11th')
    """
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
