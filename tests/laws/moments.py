"""A log laid out: each entry with the table and the facts before and after it."""

from collections.abc import Iterable
from typing import NamedTuple

from events.domain_events import DomainEvent, GameRewound
from events.game.folding import Folding
from events.game.log_facts import EMPTY, LogFacts
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.table.state import GameState


class Moment(NamedTuple):
    """An entry, and what it stands between."""

    entry: RecordedEvent
    event: DomainEvent
    before: GameState
    """The table that the event was folded on: where the game goes back, the earlier one."""
    facts: LogFacts
    """What the log says before it."""
    after: GameState
    facts_after: LogFacts


def moments_of(log: Iterable[RecordedEvent]) -> list[Moment]:
    """Every entry of a log, from its first one on."""
    found, folding, facts = [], Folding(), EMPTY
    for entry in log:
        event, before = decode_event(entry), folding.state
        if isinstance(event, GameRewound):
            earlier = folding.earlier(event.to_version)
            assert earlier is not None, f"version {entry.version} leads back to what is no stop"
            before = earlier
        after = folding.follow(event, begins=bool(entry.command))
        facts_after = facts.after(entry, event, after)
        found.append(Moment(entry, event, before, facts, after, facts_after))
        facts = facts_after
    return found
