"""Whether cards only moved from one place of a table to another: cheaper to tell than counting all of them."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeVar

from events.domain_events import Card
from events.rules.table.state import GameState, NumberedCard, Seat

_Item = TypeVar("_Item")


def only_moved(before: GameState, after: GameState) -> bool:
    """Whether the same cards lie on both tables; False also where that has to be counted.

    Only what lies elsewhere now is looked at: a table that follows from another shares with it what did not change.
    """
    if before.addition is not after.addition and after.addition and after.addition.holds_cards:
        return False
    if len(before.seats) != len(after.seats) or (before.shuffles == 0) != (after.shuffles == 0):
        return False
    moves = _Moves()
    moves.cards(before.draw_pile, after.draw_pile)
    moves.cards(before.discard_pile, after.discard_pile)
    moves.cards(before.box, after.box)
    moves.numbered(before.revealed, after.revealed)
    for seat, changed in zip(before.seats, after.seats, strict=True):
        if seat is not changed:
            moves.seat(seat, changed)
    return moves.even()


class _Moves:
    """The cards that left places and those that came to places."""

    __slots__ = ("_came", "_left")

    def __init__(self) -> None:
        self._left: list[Card] = []
        self._came: list[Card] = []

    def even(self) -> bool:
        """Whether the same cards came that left."""
        return self._left == self._came or sorted(self._left) == sorted(self._came)

    def seat(self, before: Seat, after: Seat) -> None:
        self.cards(before.coins, after.coins)
        self.numbered(before.hand, after.hand)
        self.numbered(before.aside, after.aside)
        if before.fields is not after.fields:
            for field, changed in zip_longest(before.fields, after.fields, fillvalue=()):
                self.cards(field, changed)

    def cards(self, before: tuple[Card, ...], after: tuple[Card, ...]) -> None:
        if before is not after:
            left, came = _unshared(before, after)
            self._left += left
            self._came += came

    def numbered(self, before: tuple[NumberedCard, ...], after: tuple[NumberedCard, ...]) -> None:
        if before is not after:
            left, came = _unshared(before, after)
            self._left += [card for _, card in left]
            self._came += [card for _, card in came]


def _unshared(before: tuple[_Item, ...], after: tuple[_Item, ...]) -> tuple[Sequence[_Item], Sequence[_Item]]:
    """What lies in a place only before and only after: nothing of what stayed below, or on top, of what moved."""
    shorter, longer = (after, before) if len(after) < len(before) else (before, after)
    more = len(longer) - len(shorter)
    if longer[more:] == shorter:
        rest = longer[:more]
    elif longer[: len(shorter)] == shorter:
        rest = longer[len(shorter) :]
    else:
        return before, after
    return (rest, ()) if longer is before else ((), rest)
