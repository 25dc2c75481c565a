"""What a page shows of one player: who it is, coins, hand, fields with what they pay, and what lies beside them."""

from collections.abc import Iterator
from typing import Any

from events.domain_events import UNKNOWN_CARD
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState, Seat
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.terminal.table_text import meter, movable_misses, place_of_quota_field

Part = tuple[str, Any]
"""A part of the table by its name, and its value; None where there is nothing of it."""


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
