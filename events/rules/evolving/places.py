"""What the tables of this package are, and small changes of a game's table that several events have in common."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.domain_events import UNKNOWN_CARD, UNKNOWN_NUMBER, Card, DomainEvent
from events.rules.table.state import GameState, NumberedCard, Seat

Evolvers = dict[type[DomainEvent], Callable[[GameState, Any], GameState]]
"""From event type to the table after such an event."""


def without(cards: tuple[NumberedCard, ...], numbers: tuple[int, ...]) -> tuple[NumberedCard, ...]:
    """The cards left when those with these numbers are gone.

    For each unknown number the last card goes, and which cards are left is then not known any more either.
    """
    kept = tuple(card for card in cards if card[0] not in numbers)
    unknown = numbers.count(UNKNOWN_NUMBER)
    if not unknown:
        return kept
    return tuple((number, UNKNOWN_CARD) for number, _ in kept[: len(kept) - unknown])


def numbered(first: int, cards: tuple[Card, ...]) -> tuple[NumberedCard, ...]:
    """The cards with running numbers from `first` on."""
    return tuple(enumerate(cards, first))


def with_seat(state: GameState, seat: int, changed: Seat) -> tuple[Seat, ...]:
    """All seats, with this one changed."""
    seats = state.seats
    return (*seats[:seat], changed, *seats[seat + 1 :])


def on_field(fields: tuple[tuple[Card, ...], ...], field: int, card: Card) -> tuple[tuple[Card, ...], ...]:
    """The fields with one more card on this one."""
    return (*fields[:field], (*fields[field], card), *fields[field + 1 :])


def to_hand(state: GameState, seat: int, cards: tuple[Card, ...]) -> GameState:
    """The table after cards from the draw pile joined the back of a hand."""
    owner = state.seats[seat]
    drawn = replace(
        owner,
        hand=owner.hand + numbered(owner.next_number, cards),
        next_number=owner.next_number + len(cards),
    )
    return replace(state, seats=with_seat(state, seat, drawn), draw_pile=state.draw_pile[len(cards) :])
