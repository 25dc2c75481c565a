"""Branches as courses of their own: the game up to where one parts from it, then what was played instead."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from events import domain_events as e
from events.actors import actor_name
from events.codec import event_type
from events.commands import Command
from events.disclosure import ALL, Form
from events.record import Header
from events.rules.rule_system import Rules
from replay.branches import (
    Branch,
    BranchError,
    Recorded,
    branch_in,
    contents_of,
    new_branch,
    origin_at,
    token_of,
)
from replay.branches.choices import choices
from replay.branches.playing import BranchEvent
from replay.branches.recordings import recorded_game
from replay.branches.view import BranchSeen
from replay.branching import played_by
from replay.commentary import Commentary
from replay.report import Finding
from replay.safe_text import safe
from replay.timeline import COMMAND, EVENT, PHASE, TURN, NotShown, Step, Timeline

_LONGEST_CHOICE = 200


@dataclass(frozen=True)
class Variation:
    """One way through a branch, for one viewer.

    Attributes:
        main: the game as it was played, for the same viewer.
        branch: the branch; the way leads to where one stands in it.
        tell: what tells it.
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
    def parts(self) -> int:
        """The last version that is the game's own."""
        return self.branch.origin.version

    @property
    def last(self) -> int:
        """The last version."""
        return self.parts + len(self._events)

    @cached_property
    def _events(self) -> list[BranchEvent]:
        before = self.main.at(self.parts).state
        return BranchSeen(self.branch, self.viewer, before, self.tell).events

    def at(self, version: int) -> Step:
        """The step of this version.

        Raises:
            IndexError: there is none.
        """
        if version <= self.parts:
            return self.main.at(version)
        event = self._events[version - self.parts - 1]
        entry: dict[str, Any] = {
            "version": version,
            "at": self.main.at(self.parts).form.entry["at"],
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
            stops[unit] = [*games[: bisect_right(games, self.parts)], *versions]
        return stops

    def after(self, version: int, unit: str) -> int:
        """Where a step forward by this unit leads."""
        stops = self.stops[unit]
        place = bisect_right(stops, version)
        return stops[place] if place < len(stops) else self.last

    def back(self, version: int, unit: str) -> int:
        """Where a step back by this unit leads."""
        stops = self.stops[unit]
        place = bisect_left(stops, version)
        return stops[place - 1] if place else 1

    def seen_by(self, viewer: int) -> "Variation":
        """The same variation for another viewer.

        Raises:
            NotShown: the record does not hold what this viewer may see.
        """
        return Variation(self.main.seen_by(viewer), self.branch, self.tell)

    def standing_at(self, version: int) -> Branch:
        """The branch after the last command that was done by this version.

        Raises:
            BranchError: the version is the game's own.
        """
        if version < self.parts:
            raise BranchError("This is still the game itself; m leads back to it.")
        done = [
            number for number in (0, *self.branch.path()) if self.branch.positions[number].version <= version
        ]
        return self.branch.go(done[-1])

    @property
    def title(self) -> str:
        """What it is called: where it parts from the game, and how it begins."""
        sentence = self.tell.sentence(self._events[0].state, self._events[0].event) if self._events else ""
        return f"variation from {self.parts}: {sentence}"


class Variations:
    """The branches of a record: those of tokens that were brought along, and those that were made here."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        """Bring these along."""
        self._branches: dict[str, Branch] = {}
        self._tokens = list(tokens)
        self._game: tuple[Rules, list[Recorded]] | None = None

    def ways(self, main: Timeline, tell: Commentary, tokens: Iterable[str]) -> list[Variation]:
        """Every way through the branches brought along, made here, and of these tokens.

        Raises:
            BranchError: a token is none of this game.
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
        rules, log = self._recorded(main)
        return new_branch(origin_at(rules, log, version))

    def keep(self, branch: Branch) -> None:
        """Have this branch among those that one can choose, in place of the shorter one that it grew from."""
        before = [token for token, known in self._branches.items() if _grew_from(branch, known)]
        self._tokens = [*(token for token in self._tokens if token not in before), token_of(branch)]

    def _branch(self, main: Timeline, token: str) -> Branch:
        if token not in self._branches:
            rules, log = self._recorded(main)
            self._branches[token] = branch_in(token, origin_at(rules, log, contents_of(token).version))
        return self._branches[token]

    def _recorded(self, main: Timeline) -> tuple[Rules, list[Recorded]]:
        if self._game is None:
            try:
                self._game = recorded_game(main.seen_by(ALL))
            except NotShown as error:
                raise BranchError(str(error)) from error
        return self._game


def playable(branch: Branch, viewer: int) -> list[tuple[int, Command, str]]:
    """What can be played where one stands in a branch: the seat, the command, and a few words for it."""
    return [
        (each.seat, each.command, safe(f"{actor_name(each.seat):7} {_words(each.command)}", _LONGEST_CHOICE))
        for each in choices(branch.position, viewer)
        if isinstance(each.command, Command)
    ]


def bots_play(branch: Branch) -> tuple[Branch, str]:
    """The branch after bots have played on in it up to the next turn, and what to say about it.

    Raises:
        BranchError: they cannot play here.
    """
    return played_by(branch, "greedy", "turn")


def _words(command: Command) -> str:
    members = msgspec.to_builtins(command)
    kind = str(members.pop("type")).replace("_", " ")
    return " ".join([kind, *(f"{name} {_value(value)}" for name, value in members.items())])


def _value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return (
        " ".join(f"{count} {name}" for name, count in value.items())
        if isinstance(value, dict)
        else str(value)
    )


def _grew_from(branch: Branch, other: Branch) -> bool:
    return (branch.origin.version, branch.seed) == (other.origin.version, other.seed) and branch.nodes[
        : len(other.nodes)
    ] == other.nodes
