"""A branch through one viewer's eyes: its events and tables with nothing in them that the viewer could not see."""

from collections.abc import Iterable
from dataclasses import replace

from events.log.actors import actor_name
from events.log.codec import encode_command, encode_event, event_type
from events.log.disclosure import ALL, form_for
from events.log.recorded import RecordedEvent
from events.log.redacted import command_in, event_in
from events.rules.evolving.evolve import evolve
from events.rules.table.state import GameState
from replay.branches.branch import Branch
from replay.branches.origin import Origin
from replay.branches.playing import BranchEvent

_KEY = bytes(32)
"""What salts the commitments, which nobody gets to see."""


def redact_branch(
    branch: Branch, viewer: int, before: GameState
) -> list[tuple[tuple[BranchEvent, ...], GameState]]:
    """For the origin and each command: its events and the table after it, as the viewer sees them.

    `before` is the table at the origin as the viewer sees it.
    """
    if viewer == ALL:
        return [(position.events, position.state) for position in branch.positions]
    seen: list[tuple[tuple[BranchEvent, ...], GameState]] = [((), before)]
    for node, position in zip(branch.nodes, branch.positions[1:], strict=True):
        events = redact_events(position.events, viewer, seen[node.parent][1])
        seen.append((events, events[-1].state if events else seen[node.parent][1]))
    return seen


def redact_events(events: Iterable[BranchEvent], viewer: int, before: GameState) -> tuple[BranchEvent, ...]:
    """Events that follow on a table as the viewer sees it."""
    shown, state = [], before
    for each in events:
        entry = form_for(_entry(each), _KEY, viewer).entry
        event = event_in(entry)
        state = evolve(state, event)
        shown.append(replace(each, event=event, command=command_in(entry), state=state))
    return tuple(shown)


def recorded_event(origin: Origin, version: int) -> BranchEvent | None:
    """What happened in the recorded game at a later version; None where it ends before."""
    place = version - origin.version - 1
    if place >= len(origin.later):
        return None
    entry, table = origin.later[place], origin.tables[place]
    return BranchEvent(entry.version, entry.actor, entry.event, entry.command, "recorded", table)


def _entry(each: BranchEvent) -> RecordedEvent:
    return RecordedEvent(
        version=each.version,
        type=event_type(each.event),
        schema=each.event.schema,
        data=encode_event(each.event),
        at=0,
        actor=actor_name(each.actor),
        command=b"" if each.command is None else encode_command(each.command),
        state_hash="",
        hash="",
    )
