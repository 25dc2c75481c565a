"""A table as a page shows it: parts by their names, each a small value that is ready to be drawn.

A part is worked out anew only when something in the state has changed, so that long games cost little.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from events.domain_events import UNKNOWN_CARD
from events.rules.definition.rule_system import Rules
from events.rules.table.state import INITIAL_STATE, GameState
from events.rules.table.waiting import waiting_for
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.exports.page.seats import Part, seat_parts
from replay.terminal.table_text import offer_text, turn_text

Scene = Mapping[str, Any]
"""The parts of a table that are there, by their names."""
NEXT: Final = 6
"""Cards shown from the top of the draw pile, to whoever sees everything."""


class Scenes:
    """The scenes of one viewer, version by version."""

    def __init__(self, tell: Commentary, cards: Cards, rules: Rules | None) -> None:
        """Tell a game in a language; `rules` are None where this installation does not have them."""
        self._tell, self._cards, self._rules = tell, cards, rules
        self._state, self._phase = INITIAL_STATE, ""
        self._of_seats: list[dict[str, Any]] = []
        self._scene: Scene = MappingProxyType({})

    def scene(self, state: GameState, phase: str) -> Scene:
        """The table in this state and phase; the very scene before where nothing has changed."""
        if state is self._state and phase == self._phase:
            return self._scene
        parts = dict(_middle(self._tell, self._cards, state, phase))
        self._of_seats = [self._seat(state, number) for number in range(len(state.seats))]
        for seat in self._of_seats:
            parts.update(seat)
        self._state, self._phase = state, phase
        self._scene = {name: value for name, value in parts.items() if value is not None}
        return self._scene

    def _seat(self, state: GameState, number: int) -> dict[str, Any]:
        before = self._state
        same = (
            number < len(before.seats)
            and before.seats[number] is state.seats[number]
            and before.result is state.result
            and before.duel is state.duel
            and before.ladybohn_expansion is state.ladybohn_expansion
            and before.ladybohn is state.ladybohn
            and len(before.seats) == len(state.seats)
            and [each.name for each in before.seats] == [each.name for each in state.seats]
        )
        if same:
            return self._of_seats[number]
        return dict(seat_parts(self._tell, self._cards, self._rules, state, number))


def _middle(tell: Commentary, cards: Cards, state: GameState, phase: str) -> Iterator[Part]:
    """What belongs to no player."""
    running = state.status == "running" and bool(state.turn)
    yield "status", turn_text(tell, state, phase)
    yield "turn", state.turn or None
    yield "phase", tell.phase(phase) if running else None
    yield "active", state.active if running else None
    yield "waiting", [*waiting_for(state)] or None
    yield from _piles(cards, state)
    yield "revealed", cards.numbered(state.revealed) or None
    yield (
        "offers",
        [(offer.number, offer.seat, offer_text(tell, state, offer)) for offer in state.offers] or None,
    )
    if state.duel is not None:
        yield "bonus_pile", (len(state.duel.pile), len(state.duel.discards))
        yield "gifts", [(gift.seat, cards.place(gift.variety)) for gift in state.duel.gifts] or None
    if state.ladybohn_expansion is not None:
        table = state.ladybohn_expansion
        yield "fans", [cards.runs(fan) for fan in table.fans] or None
        yield "levies", [*table.levies] or None
        yield "promises", [(promise.seat, promise.to) for promise in table.promises] or None


def _piles(cards: Cards, state: GameState) -> Iterator[Part]:
    yield "draw", (len(state.draw_pile), state.exhaustions)
    known = [card for card in state.draw_pile[:NEXT] if card != UNKNOWN_CARD]
    yield "next", [cards.place(card) for card in known] or None
    top = [cards.place(card) for card in state.discard_pile[-1:]]
    yield "discard", (len(state.discard_pile), *top)
    yield "box", cards.runs(state.box) or None
