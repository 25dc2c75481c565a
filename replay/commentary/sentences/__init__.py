"""Which message tells an event, and what its variables are: a function for each type of event."""

from collections.abc import Callable
from types import MappingProxyType

from events.domain_events import DomainEvent
from events.rules.rooms import modules_in

SENTENCES: MappingProxyType[type[DomainEvent], Callable[..., str]] = MappingProxyType(
    {event: told for module in modules_in(__name__) for event, told in module.SENTENCES.items()}
)
"""One function per event type; a test holds this table against `AnyEvent`."""
