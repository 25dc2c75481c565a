"""What counts of a game that went back: its events without the discarded stretches."""

from collections.abc import Iterable

from events.domain_events import DomainEvent, GameRewound


def what_counts(events: Iterable[DomainEvent]) -> list[DomainEvent]:
    """The events on the way to the table after the last one; folded one after the other they lead to it.

    Args:
        events: those of a log from its first entry on.
    """
    counted: list[tuple[int, DomainEvent]] = []
    for version, event in enumerate(events, 1):
        if isinstance(event, GameRewound):
            counted = [(each, kept) for each, kept in counted if each <= event.to_version]
        counted.append((version, event))
    return [event for _, event in counted]
