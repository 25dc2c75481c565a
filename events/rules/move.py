"""A move: one actor's command being decided."""

from collections.abc import Callable

from events.domain_events import Card, DomainEvent, GameRewound
from events.rules.definition.rule_system import Rules
from events.rules.errors import NoSuchField, NoSuchSeat, NotInHand
from events.rules.evolving.evolve import evolve
from events.rules.table.state import Field, GameState, Seat

DEALER = -1
"""The actor that hands in shuffles: chance is a player."""
HOST = -2
"""The actor that sets up tables and seats players."""
ARBITER = -4
"""The actor that settles disputes."""
CLOCK = -5
"""The actor that watches the time."""
Earlier = Callable[[int], GameState | None]
"""Finds the table of an earlier version that the game can go back to; None where there is none."""


def nothing_earlier(_version: int) -> GameState | None:
    """For callers who know nothing but the present table: there is nothing to go back to."""
    return None


class Move:
    """Collects the events that a command brings about; `state` is the table after those emitted so far.

    Attributes:
        rules: the rules of this table.
        state: the table, moved on with every emitted event.
        seat: who acts: a seat number, DEALER, HOST or ARBITER.
        earlier: finds the table of an earlier version.
        events: what happened so far.
        states: the table after each of these events.
    """

    __slots__ = ("earlier", "events", "rules", "seat", "state", "states")

    def __init__(self, rules: Rules, state: GameState, seat: int, earlier: Earlier = nothing_earlier) -> None:
        """Begin a move of `seat` at this table."""
        self.rules = rules
        self.state = state
        self.seat = seat
        self.earlier = earlier
        self.events: list[DomainEvent] = []
        self.states: list[GameState] = []

    def emit(self, event: DomainEvent) -> None:
        """Something has happened."""
        before = self.state
        if isinstance(event, GameRewound):
            before = self.earlier(event.to_version) or before
        self.state = after = evolve(before, event)
        self.events.append(event)
        self.states.append(after)

    @property
    def own(self) -> Seat:
        """The acting player's side of the table."""
        return self.state.seats[self.seat]

    def field(self, number: int) -> Field:
        """The acting player's field of this number.

        Raises:
            NoSuchField: the player has no such field.
        """
        fields = self.own.fields
        if not 0 <= number < len(fields):
            last = len(fields) - 1
            raise NoSuchField(f"You have fields 0 to {last}; there is no field {number}.")
        return fields[number]

    def hand_card(self, number: int) -> Card:
        """The card of this number in the acting player's hand.

        Raises:
            NotInHand: there is none.
        """
        card = card_named(self.own.hand, number)
        if card is None:
            raise NotInHand(f"No card {number} is in your hand; you have {name_cards(self.own.hand)}.")
        return card


def check_seat(rules: Rules, number: int) -> None:
    """Refuse a number that is no seat of the table.

    Raises:
        NoSuchSeat
    """
    if not 0 <= number < rules.players:
        raise NoSuchSeat(f"The table has seats 0 to {rules.players - 1}; there is no seat {number}.")


def name_cards(cards: tuple[tuple[int, Card], ...]) -> str:
    """Numbered cards, as a message names them."""
    return ", ".join(f"{number} ({card})" for number, card in cards) or "nothing"


def card_named(cards: tuple[tuple[int, Card], ...], number: int) -> Card | None:
    """The card with this number, or None."""
    for own, card in cards:
        if own == number:
            return card
    return None
