"""Whether entries tell their player anything new.

A dry run, and a command of several whose successor may still be refused, must not show hidden cards: whoever could
try and take back would look under every card. So only what a player knows beforehand may be shown or rolled back;
an event that does not declare itself foreseeable counts as one that may turn something up.
"""

from collections.abc import Iterable

from events.domain_events import ForeseeableEvent
from events.log.codec import EVENT_TYPES
from events.log.recorded import RecordedEvent

FORESEEABLE = frozenset(name for name, event in EVENT_TYPES.items() if issubclass(event, ForeseeableEvent))
"""The types of events that declare it."""


def reveals_nothing_hidden(entries: Iterable[RecordedEvent]) -> bool:
    """Whether a player knew all of this before it happened."""
    return all(entry.type in FORESEEABLE for entry in entries)
