"""The ways in which a game can end, as questions to its events, and which of them each table must have on record.

A way is one feature of an end: what emptied the pile for the last time, who won by what, which levies were left. A
game shows several of them at once. `tests/replay/verification/test_logs.py` insists on a recorded game for each way
that can occur, and `tests/logs/search.py` finds seeds of games for those that are missing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from events import domain_events as e
from events.domain_events import DomainEvent
from events.game.record import read_record
from events.log.redacted import event_in
from events.rules.evolving.evolve import evolve, fold
from events.rules.interventions.rulings import RULED_ENDS
from events.rules.table.state import INITIAL_STATE, Result
from replay.client.sources import record_lines
from tests.support.counting import what_counts
from tests.support.left_games import EARLY_ENDS


@dataclass(frozen=True)
class End:
    """How a game came to its end."""

    emptied_by: DomainEvent
    """By this event the draw pile ran out for the last time."""
    phase: str
    """The phase in which it did."""
    result: Result
    levied: tuple[e.CoinsLevied, ...]
    """Levies taken in the last turn and after it."""
    earned_last: int
    """Levies earned in the final harvest."""

    @property
    def best(self) -> int:
        """How many players have the best score."""
        return self.result.scores.count(max(self.result.scores))


WAYS: Mapping[str, Callable[[End], bool]] = MappingProxyType(
    {
        "emptied-by-revealing": lambda end: isinstance(end.emptied_by, e.CardsRevealed),
        "emptied-by-drawing": lambda end: isinstance(end.emptied_by, e.CardsDrawn),
        "emptied-by-paying": lambda end: _paying(end) and end.phase != "draw",
        "emptied-by-paying-in-phase-4": lambda end: _paying(end) and end.phase == "draw",
        "one-is-best": lambda end: end.best == 1,
        "tie-broken": lambda end: end.best > len(end.result.winners),
        "victory-shared": lambda end: len(end.result.winners) > 1,
        "levy-in-the-last-turn": lambda end: any(each.payers and not each.final for each in end.levied),
        "levy-of-the-final-harvest": lambda end: end.earned_last > 0 and _final(end) > 0,
        "levy-left-pending": lambda end: _final(end) > end.earned_last,
    }
)
"""Every way in which play ends, by name; a game that ends before shows the reason alone."""
NOT_PLAYED_OUT = frozenset({*RULED_ENDS, *EARLY_ENDS})
"""The reasons of games that do not come to the end that the rules have."""
_USUAL = frozenset({"emptied-by-revealing", "emptied-by-drawing", "one-is-best"})
REQUIRED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "classic": _USUAL | {"victory-shared"},
        "extended": _USUAL | {"tie-broken", "victory-shared"},
        "bean-duel": frozenset({"emptied-by-drawing", "one-is-best", "tie-broken", "victory-shared"}),
        "ladybohn": _USUAL | {"tie-broken", "victory-shared"},
        "ladybohn-expansion": _USUAL | {"victory-shared"},
        "the-duel": frozenset({"emptied-by-revealing", "one-is-best", "tie-broken"}),
    }
)
"""By system: the ways that every number of players has on record.

In `bean-duel` each turn takes five cards, and of the 134 cards in the pile four are left for the last one: three are
revealed, and the pile runs out while drawing. In `the-duel` three of its 88 are left for the last turn: it runs out
while they are revealed; a tie is never shared, since the starting player loses it. In `ladybohn` only the one garden
miss is paid from the piles; that this empties the draw pile for the last time has come up in none of 2,000
random games, and `tests/events/rules/ladybohn/test_selling.py` tries it on tables put together by hand.
"""
REQUIRED_ONCE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "classic": frozenset({"annulled", "drawn"}),
        "extended": frozenset({"called_off"}),
        "bean-duel": frozenset({"abandoned"}),
        "ladybohn": frozenset({"replaced", "untouched"}),
        "ladybohn-expansion": frozenset(
            {"levy-in-the-last-turn", "levy-of-the-final-harvest", "levy-left-pending"}
        ),
        "the-duel": frozenset({"awarded", "abandoned", "never_begun"}),
    }
)
"""By system: the ways that some number of players has on record.

Only who means to collect gets a levy. Rulings are the same in every system: each way in which one ends a game is on
record in one of them, where its scores are least like the others': cents, and coins that nobody has seen.
"""


def _paying(end: End) -> bool:
    return isinstance(end.emptied_by, e.FieldPaidFromPiles)


def _final(end: End) -> int:
    return sum(each.final for each in end.levied)


def ways_of_ending(events: Sequence[DomainEvent]) -> frozenset[str]:
    """The ways in which this whole game ended."""
    end = end_of(events)
    if end.result.reason in NOT_PLAYED_OUT:
        return frozenset({end.result.reason})
    return frozenset(name for name, asked in WAYS.items() if asked(end))


def end_of(happened: Sequence[DomainEvent]) -> End:
    """How this whole game came to its end; what was taken back has no part in it."""
    events = what_counts(happened)
    emptied_by, phase, last_turn, state = events[0], "", 0, INITIAL_STATE
    for place, event in enumerate(events):
        if isinstance(event, e.PileExhausted) and event.pile == "draw":
            emptied_by, phase = events[place - 1], state.phase
        if isinstance(event, e.TurnBegan):
            last_turn = place
        state = evolve(state, event)
    if state.result is None:
        raise ValueError("the game is not over")
    late = events[last_turn:]
    return End(
        emptied_by,
        phase,
        state.result,
        tuple(event for event in late if isinstance(event, e.CoinsLevied)),
        sum(isinstance(before, e.FieldHarvested) and before.final for before in _earning(late)),
    )


def _earning(late: Sequence[DomainEvent]) -> list[DomainEvent]:
    """The harvests that have brought a levy."""
    return [before for before, event in pairwise(late) if isinstance(event, e.LevyEarned)]


def events_in(path: Path) -> list[DomainEvent]:
    """What happened in a recorded game that is there as a whole."""
    with record_lines(str(path)) as lines:
        _, forms = read_record(lines)
        return [event_in(form.entry) for form in forms]


def ways_on_record(paths: Iterable[Path]) -> dict[tuple[str, int], frozenset[str]]:
    """By system and number of players: the ways in which the games in these files ended."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    for path in paths:
        events = events_in(path)
        table = fold(events[:1])
        key = (table.system, len(table.seats))
        found[key] = found.get(key, frozenset()) | ways_of_ending(events)
    return found
