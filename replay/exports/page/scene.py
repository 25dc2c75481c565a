"""A table as a page shows it: parts by their names, each a small value that is ready to be drawn.

A part is worked out anew only when something in the state has changed, so that long games cost little.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from events.domain_events import UNKNOWN_CARD
from events.rules.definition.rule_system import Rules
from events.rules.table.state import INITIAL_STATE, GameState, OpenOffer, Seat
from events.rules.table.waiting import waiting_for
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.terminal.table_text import meter, movable_misses, offer_text, place_of_quota_field, turn_text

Scene = Mapping[str, Any]
"""The parts of a table that are there, by their names."""
Part = tuple[str, Any]
"""A part of the table by its name, and its value; None where there is nothing of it."""
NEXT: Final = 6
"""Cards shown from the top of the draw pile, to whoever sees everything."""


class Scenes:
    """The scenes of one viewer, version by version."""

    def __init__(self, tell: Commentary, cards: Cards, rules: Rules | None) -> None:
        """Tell a game in a language; `rules` are None where this installation does not have them."""
        self._tell, self._cards, self._rules = tell, cards, rules
        self._state, self._phase = INITIAL_STATE, ""
        self._clock: Sequence[str] = ()
        self._of_seats: list[dict[str, Any]] = []
        self._scene: Scene = MappingProxyType({})

    def scene(self, state: GameState, phase: str, clock: Sequence[str] = ()) -> Scene:
        """The table in this state and phase, and what its clock says; the very scene before where nothing changed."""
        if state is self._state and (phase, clock) == (self._phase, self._clock):
            return self._scene
        parts = dict(_middle(self._tell, self._cards, state, phase))
        parts["clock"] = clock or None
        self._of_seats = [self._seat(state, number) for number in range(len(state.seats))]
        for seat in self._of_seats:
            parts.update(seat)
        self._state, self._phase, self._clock = state, phase, clock
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
    yield "offers", [_offer(tell, cards, state, offer) for offer in state.offers] or None
    yield "ready", [*state.ready] or None
    if state.duel is not None:
        yield "bonus_pile", (len(state.duel.pile), len(state.duel.discards))
        yield "gifts", [(gift.seat, cards.place(gift.variety)) for gift in state.duel.gifts] or None
    if state.ladybohn_expansion is not None:
        table = state.ladybohn_expansion
        yield "fans", [cards.runs(fan) for fan in table.fans] or None
        yield "levies", [*table.levies] or None
        yield "promises", [(promise.seat, promise.to) for promise in table.promises] or None


def _offer(
    tell: Commentary, cards: Cards, state: GameState, offer: OpenOffer
) -> tuple[int, int, str, dict[str, Any]]:
    """An open offer: its number, whose it is, its sentence, and as far as there are such what it is made of.

    `to` is whom it is for, where not for everybody; `cards` are those given from the hand and `hand` their numbers,
    where the viewer knows them; `want` is what is asked for. The numbers in `revealed` and `want_revealed` are those
    of revealed cards.
    """
    made = {
        "to": offer.to,
        "cards": cards.runs(offer.hand_cards) or None,
        "hand": [number for number in offer.hand if number > 0] or None,
        "revealed": [*offer.revealed] or None,
        "want": [(count, cards.place(card)) for card, count in offer.want.items()] or None,
        "want_revealed": [*offer.want_revealed] or None,
        "counters": offer.counters,
        "declined": [*offer.declined] or None,
        "spare": offer.spare or None,
        "want_spared": offer.want_spared or None,
    }
    shown = {name: value for name, value in made.items() if value is not None}
    return offer.number, offer.seat, offer_text(tell, state, offer), shown


def _piles(cards: Cards, state: GameState) -> Iterator[Part]:
    yield "draw", (len(state.draw_pile), state.exhaustions)
    known = [card for card in state.draw_pile[:NEXT] if card != UNKNOWN_CARD]
    yield "next", [cards.place(card) for card in known] or None
    top = [cards.place(card) for card in state.discard_pile[-1:]]
    yield "discard", (len(state.discard_pile), *top)
    yield "box", cards.runs(state.box) or None


# --- players -----------------------------------------------------------------------------------------------


def seat_parts(
    tell: Commentary, cards: Cards, rules: Rules | None, state: GameState, number: int
) -> Iterator[Part]:
    """The parts of one player, each with `0.`, `1.` and so on before its name."""
    for name, value in _parts(tell, cards, rules, state, number):
        yield f"{number}.{name}", value


def _parts(
    tell: Commentary, cards: Cards, rules: Rules | None, state: GameState, number: int
) -> Iterator[Part]:
    seat = state.seats[number]
    yield "who", tell.player_and_kind(state, number) if seat.kind else None
    if not seat.fields:
        return
    yield "coins", len(seat.coins)
    yield "hand", _hand(cards, seat)
    yield "fields", [*_fields(tell, cards, rules, state, number)]
    yield "aside", cards.numbered(seat.aside) or None
    if state.result is not None:
        unit, score = state.result.unit, state.result.scores[number]
        yield "score", None if (unit, score) == ("coins", len(seat.coins)) else tell.count(unit, score)
        yield "won", True if number in state.result.winners else None
    if state.duel is not None:
        own = state.duel.seats[number]
        yield "bonus", tell.names.bonus_cards(own.bonus) if own.bonus else None
        yield "claimed", tell.names.bonus_cards(own.claimed) if own.claimed else None


def _hand(cards: Cards, seat: Seat) -> Any:
    """The cards, front first; or how many there are, where the viewer knows none of them."""
    if all(card == UNKNOWN_CARD for _, card in seat.hand):
        return len(seat.hand)
    return cards.numbered(seat.hand)


def _fields(
    tell: Commentary, cards: Cards, rules: Rules | None, state: GameState, number: int
) -> Iterator[dict[str, Any]]:
    """Each field: its name, its cards from bottom to top, what they pay, and what is missing to the next coin."""
    quota, movable = place_of_quota_field(state, number), movable_misses(state, number)
    for place, field in enumerate(state.seats[number].fields):
        shown: dict[str, Any] = {
            "name": tell.label("quota" if place == quota else "field", number=place).strip(),
            "cards": cards.runs(field),
        }
        pays, missing = meter(rules, field)
        if pays is not None:
            shown["pays"] = pays
        if missing is not None:
            shown["missing"] = missing
        if place in movable:
            shown["moves"] = movable.count(place)
        yield shown
