"""A game's log as branches need it: out of a verified record with everything in it, or out of the log itself."""

from collections.abc import Iterable, Iterator

from events.log.actors import actor_number
from events.log.codec import decode_command, decode_event
from events.log.disclosure import ALL
from events.log.recorded import RecordedEvent
from events.rules.definition.rule_system import Rules
from replay.branches.errors import BranchError
from replay.branches.origin import Recorded
from replay.records.hidden import parse_viewer
from replay.records.pinned import pinned_rules
from replay.timeline.timeline import Timeline


def recorded_game(timeline: Timeline) -> tuple[Rules, list[Recorded]]:
    """The rules of a record, and its entries as far as they hold.

    Raises:
        BranchError: the record, or the timeline's viewer, does not see everything, and nobody can play on with
            cards that they do not know.
    """
    if parse_viewer(timeline.header.scope) != ALL or timeline.viewer != ALL:
        raise BranchError(
            f"This record holds only what {timeline.header.scope} may see; to play on takes one of scope all."
        )
    entries = [
        Recorded(
            step.version, step.form.hash, actor_number(step.form.entry["actor"]), step.event, step.command
        )
        for step in timeline.steps
    ]
    if not entries:
        raise BranchError("The record holds no entry that verifies.")
    return pinned_rules(timeline.header, entries[0].event), entries


def logged_game(log: Iterable[RecordedEvent]) -> Iterator[Recorded]:
    """The entries of a log.

    Raises:
        UndecodableEvent: one cannot be read.
    """
    for entry in log:
        command = decode_command(entry.command) if entry.command else None
        yield Recorded(entry.version, entry.hash, actor_number(entry.actor), decode_event(entry), command)
