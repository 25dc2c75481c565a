"""Branches as courses of their own: the game up to where one parts from it, then what was played instead."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from events import domain_events as e
from events.commands import Command
from events.game.record import Header
from events.log.actors import actor_name
from events.log.codec import event_type
from events.log.disclosure import ALL, Form
from events.rules.definition.rule_system import Rules
from replay.branches import (
    Branch,
    BranchError,
    Recorded,
    decode_token,
    encode_token,
    find_origin,
    load_branch,
    new_branch,
)
from replay.branches.choices import choices
from replay.branches.playing import BranchEvent
from replay.branches.saved.recordings import recorded_game
from replay.branches.view import BranchView
from replay.commentary import Commentary
from replay.platform.safe_text import safe
from replay.records.report import Finding
from replay.timeline.timeline import COMMAND, EVENT, PHASE, TURN, NotShown, Step, Steppable, Timeline

_LONGEST_CHOICE = 200


@dataclass(frozen=True)
class Variation(Steppable):
    """One line of play through a branch, for one viewer.

    Attributes:
        main: the game as it was played, for the same viewer.
        branch: the branch, at the end of this line.
        tell: puts it into words.
    """

    main: Timeline
    branch: Branch
    tell: Commentary
    broken: Finding | None = None

    @property
    def header(self) -> Header:
        """The record's header."""
        return self.main.header

    @property
    def viewer(self) -> int:
        """Whose view this is."""
        return self.main.viewer

    @property
    def branched_at(self) -> int:
        """The last version that is the game's own."""
        return self.branch.origin.version

    @property
    def last(self) -> int:
        """The last version."""
        return self.branched_at + len(self._events)

    @cached_property
    def _events(self) -> list[BranchEvent]:
        before = self.main.at(self.branched_at).state
        return BranchView(self.branch, self.viewer, before, self.tell).events

    def at(self, version: int) -> Step:
        """The step of this version.

        Raises:
            IndexError: there is none.
        """
        if version <= self.branched_at:
            return self.main.at(version)
        event = self._events[version - self.branched_at - 1]
        entry: dict[str, Any] = {
            "version": version,
            "at": self.main.at(self.branched_at).form.entry["at"],
            "actor": actor_name(event.actor),
            "type": event_type(event.event),
        }
        if event.command is not None:
            entry["command"] = msgspec.to_builtins(event.command)
        return Step(Form(entry, {}, ""), event.event, event.command, event.state)

    @cached_property
    def stops(self) -> dict[str, Sequence[int]]:
        """For each unit the versions at which one stops when stepping by it."""
        own = self._events
        begun = [each.version - 1 for each in own if each.command is not None]
        mine = {
            COMMAND: [*begun[1:], self.last] if begun else [],
            PHASE: [each.version for each in own if isinstance(each.event, e.PhaseBegan)],
            TURN: [each.version for each in own if isinstance(each.event, e.TurnBegan)],
        }
        stops: dict[str, Sequence[int]] = {EVENT: range(1, self.last + 1)}
        for unit, versions in mine.items():
            games = self.main.stops[unit]
            stops[unit] = [*games[: bisect_right(games, self.branched_at)], *versions]
        return stops

    def seen_by(self, viewer: int) -> "Variation":
        """The same variation for another viewer.

        Raises:
            NotShown: the record does not hold what this viewer may see.
        """
        return Variation(self.main.seen_by(viewer), self.branch, self.tell)

    def branch_at(self, version: int) -> Branch:
        """The branch after the last command that was done by this version.

        Raises:
            BranchError: the version is the game's own.
        """
        if version < self.branched_at:
            raise BranchError("This is still the game itself; m returns to it.")
        done = [
            number for number in (0, *self.branch.path()) if self.branch.positions[number].version <= version
        ]
        return self.branch.go(done[-1])

    @property
    def title(self) -> str:
        """What it is called: where it branches off, and how it begins."""
        sentence = self.tell.sentence(self._events[0].state, self._events[0].event) if self._events else ""
        return f"variation from {self.branched_at}: {sentence}"


class Variations:
    """The branches of a record: those of given tokens, and those that were played here."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        """Start with the branches of these tokens."""
        self._branches: dict[str, Branch] = {}
        self._tokens = list(tokens)
        self._game: tuple[Rules, list[Recorded]] | None = None

    def find(self, main: Timeline, tell: Commentary, tokens: Iterable[str]) -> list[Variation]:
        """Every line of play through the branches given, played here, and of these tokens.

        Raises:
            BranchError: a token is not one of this game.
        """
        found: list[Variation] = []
        for token in dict.fromkeys((*self._tokens, *tokens)):
            branch = self._branch(main, token)
            ends = [number for number, after in enumerate(branch.children()) if not after and number]
            found += [Variation(main, branch.go(number), tell) for number in ends]
        return found

    def new(self, main: Timeline, version: int) -> Branch:
        """A branch from a version of the game.

        Raises:
            BranchError: one cannot play on there.
        """
        rules, log = self._recorded_game(main)
        return new_branch(find_origin(rules, log, version))

    def keep(self, branch: Branch) -> None:
        """Have this branch among those that one can choose, in place of the shorter one that it grew from."""
        before = [token for token, known in self._branches.items() if _extends(branch, known)]
        self._tokens = [*(token for token in self._tokens if token not in before), encode_token(branch)]

    def _branch(self, main: Timeline, token: str) -> Branch:
        if token not in self._branches:
            rules, log = self._recorded_game(main)
            self._branches[token] = load_branch(token, find_origin(rules, log, decode_token(token).version))
        return self._branches[token]

    def _recorded_game(self, main: Timeline) -> tuple[Rules, list[Recorded]]:
        if self._game is None:
            try:
                self._game = recorded_game(main.seen_by(ALL))
            except NotShown as error:
                raise BranchError(str(error)) from error
        return self._game


def list_playable(branch: Branch, viewer: int) -> list[tuple[int, Command, str]]:
    """What can be played at the current place of a branch: the seat, the command, and a few words for it."""
    return [
        (
            each.seat,
            each.command,
            safe(f"{actor_name(each.seat):7} {_describe(each.command)}", _LONGEST_CHOICE),
        )
        for each in choices(branch.position, viewer)
        if isinstance(each.command, Command)
    ]


def _describe(command: Command) -> str:
    members = msgspec.to_builtins(command)
    kind = str(members.pop("type")).replace("_", " ")
    return " ".join([kind, *(f"{name} {_describe_value(value)}" for name, value in members.items())])


def _describe_value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return (
        " ".join(f"{count} {name}" for name, count in value.items())
        if isinstance(value, dict)
        else str(value)
    )


def _extends(branch: Branch, other: Branch) -> bool:
    return (branch.origin.version, branch.seed) == (other.origin.version, other.seed) and branch.nodes[
        : len(other.nodes)
    ] == other.nodes
