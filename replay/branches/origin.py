"""Where a branch parts from a recorded game: the table there, and what the recording knows of the time after it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from events import domain_events as e
from events.bots.memory import BotMemory
from events.chain.hash_chain import GENESIS
from events.commands import Command
from events.domain_events import Card, DomainEvent
from events.game.dealing import stays_closed
from events.game.folding import Folding
from events.rules.definition.rule_system import Rules
from events.rules.table.piles import cards_to_shuffle
from events.rules.table.state import GameState
from replay.branches.errors import NoSuchVersion, NotBegun

PLAYED: Final = ("running", "ended", "finished")
"""The status of a game that has begun."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One entry of the game's log, everything in it open."""

    version: int
    hash: str
    """The chain hash after it."""
    actor: int
    """A seat number, DEALER, HOST or ARBITER."""
    event: DomainEvent
    command: Command | None
    """What brought it about; None on the further entries of a command."""


@dataclass(frozen=True, slots=True)
class RecordedShuffle:
    """A shuffle of the recorded game."""

    cards: tuple[Card, ...]
    """The cards as they lay before it."""
    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """A version of a recorded game from which one can play on: a command is done, and nothing is due."""

    rules: Rules
    version: int
    hash: str
    state: GameState
    memory: BotMemory
    """What bots would remember here."""
    later: tuple[Recorded, ...]
    """What happened after it in the recorded game."""
    tables: tuple[GameState, ...]
    """The table after each of these."""
    shuffles: Mapping[tuple[str, int], RecordedShuffle]
    """Its later shuffles, by pile and number."""
    secret: str
    """The dealer's secret; empty while the game does not open it."""

    @property
    def game(self) -> str:
        """The game's id."""
        return self.state.game


def find_origin(rules: Rules, log: Iterable[Recorded], version: int) -> Origin:
    """The origin at a version; within a command, or before the first turn, the next version where one can play on.

    What holds the recorded game up there does not hold up the branch.

    Raises:
        NoSuchVersion: the game has no such version.
        NotBegun: there is nothing to play from there on, since the game has not begun.
    """
    entries = tuple(log)
    if not 1 <= version <= len(entries):
        raise NoSuchVersion(f"The game has versions 1 to {len(entries)}; there is no version {version}.")
    folding, place = Folding(), 0
    for place, entry in enumerate(entries, 1):
        folding.follow(entry.event, begins=entry.command is not None)
        if place >= version and _can_go_on(folding.state, entries, place):
            break
    else:
        raise NotBegun(
            "The game has not begun, so there is nothing to play on from; wait for the first turn."
        )
    state = replace(folding.state, paused_by=(), take_back=None, end_offer=None)
    later = entries[place:]
    tables, shuffles = _time_after(rules, folding, later)
    return Origin(
        rules=rules,
        version=place,
        hash=entries[place - 1].hash if place else GENESIS,
        state=state,
        memory=BotMemory().follow(entry.event for entry in entries[:place]),
        later=later,
        tables=tables,
        shuffles=MappingProxyType(shuffles),
        secret=(tables[-1] if tables else state).secret,
    )


def _can_go_on(state: GameState, entries: tuple[Recorded, ...], place: int) -> bool:
    is_last = place == len(entries)
    is_whole = is_last or entries[place].command is not None
    is_settled = state.due is None or (is_last and stays_closed(state))
    return is_whole and is_settled and state.status in PLAYED


def _time_after(
    rules: Rules, folding: Folding, later: tuple[Recorded, ...]
) -> tuple[tuple[GameState, ...], dict[tuple[str, int], RecordedShuffle]]:
    tables = []
    shuffles: dict[tuple[str, int], RecordedShuffle] = {}
    for entry in later:
        if isinstance(entry.event, e.PileShuffled):
            shuffle = RecordedShuffle(cards_to_shuffle(rules, folding.state), entry.event.order)
            shuffles[entry.event.pile, entry.event.number] = shuffle
        tables.append(folding.follow(entry.event, begins=entry.command is not None))
    return tuple(tables), shuffles
