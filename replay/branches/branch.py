"""A branch: a small tree of commands that parts from a recorded game, and where in it one stands.

Commands have numbers, 1 and on, in the order in which they were added; 0 is the origin. The first command that was
added after another one goes on with its main line, each further one begins a variation. The dealer's commands are no
part of the tree: they follow from the origin and the seed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from events.commands import Command
from events.rules.move import ARBITER
from replay.branches.chance import branch_key
from replay.branches.errors import BranchError, NoArbiter, NoSuchNode, TooLarge, TooLong
from replay.branches.origin import Origin
from replay.branches.playing import BranchEvent, Position, initial_position, play_command

MOST_COMMANDS: Final = 4_000
"""Commands in a branch at most, variations included: whole games have some hundred, of bots sometimes a thousand."""
SEED: Final = re.compile(r"[\x21-\x7e]{0,32}")
"""A branch's seed: up to 32 printable ASCII characters."""
GoOn = Callable[[], bool]
"""Says whether there is still time."""


def for_ever() -> bool:
    """There is always time."""
    return True


@dataclass(frozen=True, slots=True)
class Node:
    """A command in a branch."""

    parent: int
    """The number of the command before it; 0 for the origin."""
    actor: int
    """The seat, or HOST for a moderator's act."""
    command: Command


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of a recorded game; a value, every change makes another one."""

    origin: Origin
    seed: str
    """What fresh chance follows from."""
    nodes: tuple[Node, ...]
    """The commands; the number of one is its place here, counted from 1."""
    positions: tuple[Position, ...]
    """The table at the origin and after each command."""
    here: int = 0
    """The number of the command after which one stands."""

    @property
    def key(self) -> bytes:
        """The key of its chance."""
        return branch_key(self.seed, self.origin.hash)

    @property
    def position(self) -> Position:
        """Where one stands."""
        return self.positions[self.here]

    def path(self, number: int | None = None) -> list[int]:
        """The numbers of the commands from the origin to this one, or to where one stands."""
        way, step = [], self.here if number is None else self._require_number(number)
        while step:
            way.append(step)
            step = self.nodes[step - 1].parent
        return way[::-1]

    def events(self) -> Iterator[BranchEvent]:
        """What happens on the way to where one stands."""
        for number in self.path():
            yield from self.positions[number].events

    def children(self) -> list[list[int]]:
        """For the origin and each command the commands after it, the main line's first."""
        after: list[list[int]] = [[] for _ in self.positions]
        for number, node in enumerate(self.nodes, 1):
            after[node.parent].append(number)
        return after

    def play(self, actor: int, command: Command) -> "Branch":
        """Add a command here and stand after it; one that is there already is only gone to.

        Raises:
            MoveRefused: the rules forbid it.
            TooLarge: there are as many commands as there may be.
        """
        node = Node(self.here, actor, command)
        for number, each in enumerate(self.nodes[self.here :], self.here + 1):
            if each.parent == node.parent and each == node:
                return replace(self, here=number)
        return self.add(node)

    def add(self, node: Node) -> "Branch":
        """Add a command that is not there yet, and stand after it.

        Raises:
            NoSuchNode: the command before it is not there.
            NoArbiter: it is the arbiter's.
            MoveRefused: the rules forbid it.
            TooLarge: there are as many commands as there may be.
        """
        if node.actor == ARBITER:
            raise NoArbiter("A branch has no arbiter: disputes are about the game itself.")
        if len(self.nodes) >= MOST_COMMANDS:
            raise TooLarge(f"A branch has at most {MOST_COMMANDS} commands; begin another one here.")
        before = self.positions[self._require_number(node.parent)]
        after = play_command(self.origin, self.key, before, node.actor, node.command)
        return replace(
            self,
            nodes=(*self.nodes, node),
            positions=(*self.positions, after),
            here=len(self.positions),
        )

    def go(self, number: int) -> "Branch":
        """Stand after the command of this number; 0 is the origin.

        Raises:
            NoSuchNode: there is none.
        """
        return replace(self, here=self._require_number(number))

    def undo(self, count: int = 1) -> "Branch":
        """Take back the last commands on the way here, with everything that follows on them.

        Raises:
            NoSuchNode: there are not so many.
        """
        way = self.path()
        if not 0 <= count <= len(way):
            raise NoSuchNode(f"{len(way)} commands lead here; {count} cannot be taken back.")
        return self._without(way[-count]) if count else self

    def _without(self, number: int) -> "Branch":
        kept = [0]
        renumbered = {0: 0}
        nodes: list[Node] = []
        for place, node in enumerate(self.nodes, 1):
            if place != number and node.parent in renumbered:
                nodes.append(replace(node, parent=renumbered[node.parent]))
                renumbered[place] = len(nodes)
                kept.append(place)
        here = renumbered[self.nodes[number - 1].parent]
        return replace(
            self, nodes=tuple(nodes), positions=tuple(self.positions[place] for place in kept), here=here
        )

    def _require_number(self, number: int) -> int:
        if not 0 <= number <= len(self.nodes):
            raise NoSuchNode(f"The branch has commands 1 to {len(self.nodes)}; there is no command {number}.")
        return number


def new_branch(origin: Origin, seed: str = "") -> Branch:
    """A branch without commands.

    Raises:
        BranchError: the seed is none.
    """
    if not SEED.fullmatch(seed):
        raise BranchError("A seed is at most 32 printable ASCII characters, without spaces.")
    return Branch(origin, seed, (), (initial_position(origin),))


def check_time(go_on: GoOn) -> None:
    """Stop where there is no more time.

    Raises:
        TooLong
    """
    if not go_on():
        raise TooLong("Playing this branch through takes longer than it may; cut it into shorter ones.")
