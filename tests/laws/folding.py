"""The law that the log is the game: stored, read back and folded in any parts it is the state that was played."""

from collections.abc import Sequence

from events.domain_events import DomainEvent
from events.log.codec import decode_event, encode_event, event_type
from events.log.recorded import RecordedEvent
from events.rules.evolving.evolve import fold
from events.rules.table.state import GameState


def folding_in_parts_is_folding_at_once(
    begun: GameState, events: Sequence[DomainEvent], states: Sequence[GameState], cut: int
) -> None:
    """A prefix folded, then the rest, wherever it is cut; `states` are those after each event, as played."""
    stored = [reread(event) for event in events]
    assert stored == [*events], "an event does not survive the codec"
    prefix = fold(stored[:cut], begun)
    assert prefix == ([begun, *states])[cut], "the events before the cut fold to another state"
    assert fold(stored[cut:], prefix) == states[-1], "the events after the cut fold to another state"


def reread(event: DomainEvent) -> DomainEvent:
    """The event as it comes back from a log."""
    entry = RecordedEvent(
        version=1,
        type=event_type(event),
        schema=event.schema,
        data=encode_event(event),
        at=0,
        actor="host",
        command=b"",
        state_hash="",
        hash="",
    )
    return decode_event(entry)
