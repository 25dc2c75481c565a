"""Which message tells an event, and with what in it: what cannot be taken from the event's type and members.

A module for the standard rules, and one for each rule system with more to say. Each has `KEYS`, the message of an
event that has several, and `VARIABLES`, what its messages name besides `replay.commentary.variables`.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from events.domain_events import DomainEvent
from events.rules.rooms import modules_in

_MODULES = tuple(modules_in(__name__))
KEYS: MappingProxyType[type[DomainEvent], Callable[..., str]] = MappingProxyType(
    {event: key for module in _MODULES for event, key in module.KEYS.items()}
)
"""For events with several messages a function that gives the key of the one to use; the others go by their type."""
VARIABLES: MappingProxyType[type[DomainEvent], Callable[..., dict[str, Any]]] = MappingProxyType(
    {event: say for module in _MODULES for event, say in module.VARIABLES.items()}
)
"""What the messages of some events name besides, given the commentary, the table and the event."""
