"""A finished game as a function over many games gets it: verified entries with the tables around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from events import domain_events as e
from events.commands import Command
from events.domain_events import DomainEvent, GameRewound
from events.game.record import Header
from events.game.table import pinned_rules
from events.rules.definition.rule_system import Rules
from events.rules.table.state import INITIAL_STATE, GameState, Result
from replay.records.effective_history import EffectiveHistory, Rewinding
from replay.records.report import Report
from replay.verification.entry import VerifiedEntry


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a game, with the tables around it.

    Attributes:
        entry: the entry as it was verified.
        before: the table before it, with every card.
        counts: whether it counts at the end: False in a stretch that was discarded when the game went back.
        in_effect: whether it is on the way that leads to the end. Besides what does not count, the entries with which
            a command began that then went back are not: they count, but happened on the table that was left.
    """

    entry: VerifiedEntry
    before: GameState
    counts: bool
    in_effect: bool

    @property
    def version(self) -> int:
        """The entry's version."""
        return self.entry.version

    @property
    def at(self) -> int:
        """When its command arrived: milliseconds since the epoch; a mere number in a simulated game."""
        return self.entry.at

    @property
    def actor(self) -> str:
        """Who acted: `seat:0` and so on, `dealer`, `host`, `arbiter` or `clock`."""
        return self.entry.actor

    @property
    def command(self) -> Command | None:
        """The command that begins here; None where none does."""
        return self.entry.command

    @property
    def event(self) -> DomainEvent:
        """What happened, with every card."""
        return self.entry.event

    @property
    def after(self) -> GameState:
        """The table after it, with every card."""
        return self.entry.state


@dataclass(frozen=True)
class PlayedGame:
    """A game that has finished, and whose whole record verifies.

    The tables of its entries share what did not change, about 2 KB for each entry; a process that maps over games
    holds one game at a time.

    Attributes:
        name: the source's name for it.
        header: the record's header, with the catalogue and the secret.
        entries: all entries, version 1 first, those included that do not count any more.
        report: what the verification found.
        visibility: `public`, `unlisted` or `private`; empty where the source does not know.
        ruled: what a ruling after the end made of the result (`Beside.ruled`).
    """

    name: str
    header: Header
    entries: Sequence[VerifiedEntry]
    report: Report
    visibility: str = ""
    ruled: str = ""

    @property
    def game(self) -> str:
        """The game's id."""
        return self.header.game

    @property
    def system(self) -> str:
        """The rule system's key."""
        return self.end.system

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return len(self.end.seats)

    @property
    def end(self) -> GameState:
        """The table after the last entry."""
        return self.entries[-1].state

    @property
    def result(self) -> Result:
        """How the game ended.

        Raises:
            ValueError: it has not ended.
        """
        if self.end.result is None:
            raise ValueError(f"game {self.game[:60]!r} has no result")
        return self.end.result

    @property
    def created(self) -> e.GameCreated:
        """The first event, with everything that the game is pinned to."""
        return cast("e.GameCreated", self.entries[0].event)  # no record verifies that begins with another one

    @cached_property
    def rules(self) -> Rules:
        """The rules that the game is pinned to."""
        return pinned_rules(self.entries[0].state, lambda _: self.header.catalogue)

    @cached_property
    def rewindings(self) -> tuple[Rewinding, ...]:
        """Where the game went back, in order."""
        found, begun = [], 0
        for entry in self.entries:
            begun = entry.version if entry.command is not None else begun
            if isinstance(entry.event, GameRewound):
                found.append(Rewinding(begun, entry.version, entry.event.to_version))
        return tuple(found)

    @property
    def steps(self) -> Iterator[Step]:
        """All entries in order, each with the table before it."""
        history = EffectiveHistory(self.rewindings)
        in_effect = (
            set(history.select_effective(range(1, len(self.entries) + 1))) if self.rewindings else None
        )
        before = INITIAL_STATE
        for entry in self.entries:
            version = entry.version
            yield Step(entry, before, version in history, in_effect is None or version in in_effect)
            before = entry.state
