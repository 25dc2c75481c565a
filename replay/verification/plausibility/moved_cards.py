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
    addition = after.addition
    if addition is not None and addition.holds_cards and addition is not before.addition:
        return False
    if len(before.seats) != len(after.seats) or (before.shuffles == 0) != (after.shuffles == 0):
        return False
    moves = _Moves()
    if before.draw_pile is not after.draw_pile:
        moves.cards(before.draw_pile, after.draw_pile)
    if before.discard_pile is not after.discard_pile:
        moves.cards(before.discard_pile, after.discard_pile)
    if before.box is not after.box:
        moves.cards(before.box, after.box)
    if before.revealed is not after.revealed:
        moves.numbered(before.revealed, after.revealed)
    if before.seats is not after.seats:
        for seat, changed in zip(before.seats, after.seats, strict=True):
            if seat is not changed:
                moves.seat(seat, changed)
    return moves.left == moves.came or sorted(moves.left) == sorted(moves.came)


class _Moves:
    """The cards that left places and those that came to places."""

    __slots__ = ("came", "left")

    def __init__(self) -> None:
        self.left: list[Card] = []
        self.came: list[Card] = []

    def seat(self, before: Seat, after: Seat) -> None:
        if before.coins is not after.coins:
            self.cards(before.coins, after.coins)
        if before.hand is not after.hand:
            self.numbered(before.hand, after.hand)
        if before.aside is not after.aside:
            self.numbered(before.aside, after.aside)
        if before.fields is not after.fields:
            for field, changed in zip_longest(before.fields, after.fields, fillvalue=()):
                if field is not changed:
                    self.cards(field, changed)

    def cards(self, before: tuple[Card, ...], after: tuple[Card, ...]) -> None:
        left, came = _unshared(before, after)
        self.left += left
        self.came += came

    def numbered(self, before: tuple[NumberedCard, ...], after: tuple[NumberedCard, ...]) -> None:
        left, came = _unshared(before, after)
        self.left += [card for _, card in left]
        self.came += [card for _, card in came]


def _unshared(before: tuple[_Item, ...], after: tuple[_Item, ...]) -> tuple[Sequence[_Item], Sequence[_Item]]:
    """What lies in a place only before and only after: nothing of what stayed below, or on top, of what moved."""
    old, new = len(before), len(after)
    if new > old:
        if after[:old] == before:
            return (), after[old:]
        if after[new - old :] == before:
            return (), after[: new - old]
    else:
        if before[old - new :] == after:
            return before[: old - new], ()
        if before[:new] == after:
            return before[new:], ()
    return before, after
