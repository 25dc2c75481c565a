"""Which events tell their player nothing new.

A dry run, and a command of several whose successor may still be refused, must not show hidden cards: whoever could
try and take back would look under every card. So only what a player knows beforehand may be shown or rolled back;
every event that is not listed here counts as one that may turn something up.
"""

from collections.abc import Iterable

from events.recorded import RecordedEvent

FORESEEABLE = frozenset(
    {
        "aside_planted",
        "bean_planted",
        "field_harvested",
        "offer_declined",
        "offer_lapsed",
        "offer_made",
        "offer_withdrawn",
        "phase_began",
        "revealed_discarded",
        "revealed_planted",
        "talked",
        "third_field_bought",
        "trading_ended",
    }
)
"""Types of events whose every public value follows from what their player could see before."""


def foreseeable(entries: Iterable[RecordedEvent]) -> bool:
    """Whether a player knew all of this before it happened."""
    return all(entry.type in FORESEEABLE for entry in entries)
