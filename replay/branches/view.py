"""A branch as JSON: the same on the command line and in the HTTP interface."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from events.commands import Command
from events.log.actors import actor_name
from events.log.codec import event_type
from events.log.disclosure import ALL, viewer_name
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from replay.branches.branch import Branch
from replay.branches.choices import Choice, choices
from replay.branches.errors import MoveRefused
from replay.branches.playing import BranchEvent
from replay.branches.redaction import recorded_event, redact_branch, redact_events
from replay.branches.saved.tokens import encode_token
from replay.commentary import Commentary


@dataclass(frozen=True)
class BranchView:
    """A branch and who looks at it."""

    branch: Branch
    viewer: int
    before: GameState
    """The table at the origin as the viewer sees it."""
    tell: Commentary

    @cached_property
    def shown(self) -> list[tuple[tuple[BranchEvent, ...], GameState]]:
        """For the origin and each command: its events and the table after it, as the viewer sees them."""
        return redact_branch(self.branch, self.viewer, self.before)

    @property
    def events(self) -> list[BranchEvent]:
        """What happens on the way to where one stands, as the viewer sees it."""
        return [event for number in self.branch.path() for event in self.shown[number][0]]

    @property
    def state(self) -> GameState:
        """The table where one stands, as the viewer sees it."""
        return self.shown[self.branch.here][1]

    @property
    def parted(self) -> tuple[BranchEvent | None, BranchEvent] | None:
        """What happened in the game and what here where they part; None while the branch follows the game."""
        version = self.branch.position.parted
        if version is None:
            return None
        events = self.events
        mine = next(each for each in events if each.version == version)
        theirs = recorded_event(self.branch.origin, version)
        if theirs is None or self.viewer == ALL:
            return theirs, mine
        before = next((each.state for each in events if each.version == version - 1), self.before)
        return redact_events([theirs], self.viewer, before)[0], mine

    def sentence(self, event: BranchEvent) -> str:
        """What has happened, told to people."""
        return self.tell.sentence(event.state, event.event)


def branch_json(seen: BranchView, after: int = 0) -> dict[str, Any]:
    """The branch where one stands: its token, tree, events after a version, table, and what can be played."""
    branch = seen.branch
    position, parted = branch.position, seen.parted
    return {
        "game": branch.origin.game,
        "origin": {"version": branch.origin.version, "hash": branch.origin.hash},
        "viewer": viewer_name(seen.viewer),
        "seed": branch.seed,
        "token": encode_token(branch),
        "here": branch.here,
        "tree": tree_json(seen),
        "version": position.version,
        "parted": None if parted is None else _parted_json(seen, *parted),
        "fresh_from": position.fresh_from,
        "events": [event_json(seen, each) for each in seen.events if each.version > after],
        "table": player_view(seen.state, seen.viewer),
        "legal": legal_json(choices(position, seen.viewer)),
    }


def tree_json(seen: BranchView) -> list[dict[str, Any]]:
    """The commands of the branch, each with its number, the one before it, and the version after it."""
    shown = seen.shown
    return [
        {
            "number": number,
            "after": node.parent,
            "actor": actor_name(node.actor),
            "command": msgspec.to_builtins(
                (shown[number][0][0].command if shown[number][0] else None) or node.command
            ),
            "version": seen.branch.positions[number].version,
            "fresh": any(each.cards == "fresh" for each in shown[number][0]),
        }
        for number, node in enumerate(seen.branch.nodes, 1)
    ]


def event_json(seen: BranchView, event: BranchEvent) -> dict[str, Any]:
    """An event of the branch, with where its cards come from and its sentence."""
    data = msgspec.to_builtins(event.event)
    del data["type"]
    begun_by = {} if event.command is None else {"command": msgspec.to_builtins(event.command)}
    return {
        "version": event.version,
        "type": event_type(event.event),
        "actor": actor_name(event.actor),
        "data": data,
        **begun_by,
        "cards": event.cards,
        "text": seen.sentence(event),
    }


def legal_json(listed: Sequence[Choice]) -> list[dict[str, Any]]:
    """What can be played: each seat's commands, ready to send or as forms to be filled in."""
    shown = []
    for each in listed:
        fields: dict[str, Any] = msgspec.to_builtins(each.command)
        if isinstance(each.command, Command):
            shown.append({"seat": each.seat, "number": each.number, "command": fields})
        else:
            shown.append({"seat": each.seat, "form": {"type": fields.pop("type"), "form": fields}})
    return shown


def refusal_json(refused: MoveRefused, viewer: int) -> dict[str, Any]:
    """Why the rules refuse a move: the rule's code, where the booklet has it, and what would be legal."""
    position = refused.position
    section = position.rules.system.section_of(refused.violation)
    return {
        "code": refused.violation.code,
        "detail": str(refused.violation),
        "section": str(section),
        "number": refused.node,
        "actor": actor_name(refused.actor),
        "version": position.version,
        "waiting_for": list(waiting_for(position.state)),
        "legal": legal_json(choices(position, viewer)),
    }


def _parted_json(seen: BranchView, theirs: BranchEvent | None, mine: BranchEvent) -> dict[str, Any]:
    return {
        "version": mine.version,
        "game": None if theirs is None else event_json(seen, theirs),
        "branch": event_json(seen, mine),
    }
