"""Playing on in a branch: one command, the dealer's answers to it, and where that leads."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from events.bots.memory import BotMemory
from events.commands import Command
from events.domain_events import DomainEvent, PileShuffled
from events.rules.decide import play
from events.rules.definition.rule_system import Rules
from events.rules.errors import RuleViolation
from events.rules.move import DEALER
from events.rules.table.state import GameState
from replay.branches.chance import FRESH, NONE, RECORDED, Cards, dealers_answer, source_pile
from replay.branches.errors import MoveRefused
from replay.branches.origin import Origin


@dataclass(frozen=True, slots=True)
class BranchEvent:
    """Something that happens in a branch."""

    version: int
    """Counted on from the origin's version."""
    actor: int
    event: DomainEvent
    command: Command | None
    """What brought it about; None on the further events of a command."""
    cards: Cards
    """Where its cards come from."""
    state: GameState
    """The table after it."""


@dataclass(frozen=True, slots=True)
class Position:
    """The table of a branch after some of its commands."""

    rules: Rules
    state: GameState
    version: int
    memory: BotMemory
    events: tuple[BranchEvent, ...] = ()
    """What the last command brought about."""
    fresh: frozenset[str] = frozenset()
    """The piles whose order is fresh chance."""
    fresh_from: int | None = None
    """The version of the first event with fresh cards; None while all are recorded."""
    parted: int | None = None
    """The version of the first event that is not the recorded game's; None while the branch follows it."""


def initial_position(origin: Origin) -> Position:
    """Where a branch begins."""
    return Position(origin.rules, origin.state, origin.version, origin.memory)


def play_command(origin: Origin, key: bytes, position: Position, actor: int, command: Command) -> Position:
    """The position after a command and the dealer's answers to it.

    Raises:
        MoveRefused: the rules forbid it.
    """
    try:
        events = tuple(_events(origin, key, position, actor, command))
    except RuleViolation as violation:
        raise MoveRefused(violation, position, actor, command) from violation
    fresh = {each.event.pile: each.cards for each in events if isinstance(each.event, PileShuffled)}
    first_fresh = next((each.version for each in events if each.cards == FRESH), None)
    return replace(
        position,
        state=events[-1].state if events else position.state,
        version=position.version + len(events),
        memory=position.memory.follow(each.event for each in events),
        events=events,
        fresh=frozenset(pile for pile in position.fresh | fresh.keys() if fresh.get(pile, FRESH) == FRESH),
        fresh_from=first_fresh if position.fresh_from is None else position.fresh_from,
        parted=_find_divergence(origin, events) if position.parted is None else position.parted,
    )


def _events(
    origin: Origin, key: bytes, position: Position, actor: int, command: Command
) -> Iterator[BranchEvent]:
    state, version, fresh = position.state, position.version, set(position.fresh)
    order: Cards = NONE
    while True:
        move = play(origin.rules, state, actor, command)
        begun_by: Command | None = command
        for event, after in zip(move.events, move.states, strict=True):
            version += 1
            if isinstance(event, PileShuffled):
                (fresh.add if order == FRESH else fresh.discard)(event.pile)
                cards = order
            else:
                pile = source_pile(event)
                cards = NONE if pile is None else FRESH if pile in fresh else RECORDED
            yield BranchEvent(version, actor, event, begun_by, cards, after)
            begun_by = None
        state = move.state
        answer = dealers_answer(origin, state, key) if state.due is not None else None
        if answer is None:
            return
        actor, (command, order) = DEALER, answer


def _find_divergence(origin: Origin, events: tuple[BranchEvent, ...]) -> int | None:
    """The version of the first of these events that is not the recorded one of its version."""
    for each in events:
        place = each.version - origin.version - 1
        if place >= len(origin.later):
            return each.version
        recorded = origin.later[place]
        same = (recorded.actor, recorded.event, recorded.command) == (each.actor, each.event, each.command)
        if not same:
            return each.version
    return None
