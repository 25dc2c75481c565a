"""Branches as the service answers them: what would have happened otherwise, and the token that holds all of it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.commands import Command
from replay.client.answer import Answer

Plays = Sequence[tuple[int, Command]]
"""Commands to play, each with its seat."""


class BranchOrigin(Answer, frozen=True):
    """Where a branch parts from its game."""

    version: int
    hash: str


class BranchNode(Answer, frozen=True):
    """A command of a branch; `after` is the number of the one before it, 0 for none."""

    number: int
    after: int
    actor: str
    command: dict[str, Any]
    version: int
    fresh: bool


class BranchEvent(Answer, frozen=True):
    """An event of a branch; `cards` says whether they are `recorded` or `fresh`, or that there are `none`."""

    version: int
    type: str
    actor: str
    data: dict[str, Any]
    cards: str
    text: str
    command: dict[str, Any] = msgspec.field(default_factory=dict)


class BranchParting(Answer, frozen=True):
    """The first version at which branch and game differ."""

    version: int
    branch: BranchEvent
    game: BranchEvent | None = None


class BotsPlayed(Answer, frozen=True):
    """How many commands the bots have played, and why they stopped."""

    commands: int
    stopped: str


class Branch(Answer, frozen=True):
    """A branch where one stands."""

    game: str
    origin: BranchOrigin
    seed: str
    token: str
    here: int
    tree: tuple[BranchNode, ...]
    version: int
    events: tuple[BranchEvent, ...]
    table: dict[str, Any]
    legal: tuple[dict[str, Any], ...]
    parted: BranchParting | None = None
    fresh_from: int | None = None
    bots: BotsPlayed | None = None


def branch_request(at: int | str, plays: Plays, **wanted: Any) -> bytes:
    """The body of a request; `at` is a version, or the token of a branch. What is None is left out."""
    begun = {"version": at} if isinstance(at, int) else {"token": at}
    played = [{"seat": seat, "command": command} for seat, command in plays]
    given = {name: value for name, value in wanted.items() if value is not None}
    return msgspec.json.encode({**begun, "play": played, **given})
