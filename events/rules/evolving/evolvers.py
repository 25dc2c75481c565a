"""What a group of events looks like: one function per event type."""

from collections.abc import Callable
from typing import Any

from events.domain_events import DomainEvent
from events.rules.table.state import GameState

Evolvers = dict[type[DomainEvent], Callable[[GameState, Any], GameState]]
"""From event type to the table after such an event."""
