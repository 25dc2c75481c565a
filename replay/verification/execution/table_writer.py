"""Writing the tables of one game, one after the other, in canonical JSON: only what changed is written anew.

A table that follows from another shares with it what did not change, so that identity tells what did. Kept are piles
and seats, which make up three quarters of a table.
"""

from msgspec import Raw
from msgspec.structs import replace

from events.chain.canonical import canonical
from events.domain_events import Card
from events.rules.table.state import GameState, Seat

_Pile = tuple[Card, ...]
_Written = Raw | tuple[()]
"""A part as it is written; what is empty is left out of a table, and so stays empty."""


class TableWriter:
    """Writes the tables of one game."""

    __slots__ = ("_discard_pile", "_draw_pile", "_parts", "_seats", "_state", "_written", "_written_seats")

    def __init__(self) -> None:
        """Begin with nothing written."""
        self._state: GameState | None = None
        self._written = b""
        self._draw_pile: _Pile = ()
        self._discard_pile: _Pile = ()
        self._seats: tuple[Seat, ...] = ()
        self._written_seats: tuple[Raw, ...] = ()
        self._parts: dict[str, _Written | tuple[Raw, ...]] = {}

    def write(self, state: GameState) -> bytes:
        """The canonical JSON of a table.

        >>> from events.rules.table.state import INITIAL_STATE
        >>> TableWriter().write(replace(INITIAL_STATE, draw_pile=("blue",)))
        b'{"draw_pile":["blue"]}'
        """
        if state is self._state:  # talk leaves the table as it is
            return self._written
        parts = self._parts
        if state.draw_pile is not self._draw_pile:
            self._draw_pile = state.draw_pile
            parts["draw_pile"] = _write(state.draw_pile)
        if state.discard_pile is not self._discard_pile:
            self._discard_pile = state.discard_pile
            parts["discard_pile"] = _write(state.discard_pile)
        if state.seats is not self._seats:
            parts["seats"] = self._write_seats(state.seats)
        self._state, self._written = state, canonical(replace(state, **parts))
        return self._written

    def _write_seats(self, seats: tuple[Seat, ...]) -> tuple[Raw, ...]:
        known, self._seats = self._seats, seats
        if len(seats) != len(known):
            written = [Raw(canonical(seat)) for seat in seats]
        else:
            before = zip(seats, known, self._written_seats, strict=True)
            written = [kept if seat is same else Raw(canonical(seat)) for seat, same, kept in before]
        self._written_seats = tuple(written)
        return self._written_seats


def _write(pile: _Pile) -> _Written:
    return Raw(canonical(pile)) if pile else ()
