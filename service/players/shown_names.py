"""The names to show for the players at a table, put in wherever a view is composed: the log has neutral ones.

A process keeps what it was told for some seconds, so a name that is changed or forgotten is so everywhere after them.
"""

import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Final

from msgspec.structs import replace

from events.rules.table.state import GameState
from events.store.event_store import EventStore
from service.players.store import PlayerRecords

FRESH_SECONDS: Final = 5.0
"""How long a process goes by what it was told of a player."""
KEPT: Final = 20_000
"""Players whose names a process keeps."""


class ShownNames:
    """The names to show, of the players of a store; safe to use from many threads."""

    def __init__(self, store: EventStore) -> None:
        """Ask this store."""
        self._records = PlayerRecords(store)
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = Lock()

    def known(self, state: GameState) -> bool:
        """Whether the store need not be asked to show this table's names."""
        now = time.monotonic()
        return all(self._is_fresh(each, now) for each in players_of(state))

    def show(self, state: GameState) -> GameState:
        """The table with the names to show; where a player has none, or nobody says who sits there, as it is.

        Raises:
            StoreUnavailable
        """
        players = players_of(state)
        if not players:
            return state
        names = self.of(players)
        seats = (
            replace(seat, name=names[seat.player]) if names.get(seat.player) else seat for seat in state.seats
        )
        return replace(state, seats=tuple(seats))

    def shown(self, names: Sequence[str | None], players: Sequence[str | None]) -> tuple[str | None, ...]:
        """The names of seats with those to show put in; `players` says who sits there, as far as that is known.

        Raises:
            StoreUnavailable
        """
        if not any(players):
            return tuple(names)
        found = self.of(filter(None, players))
        return tuple(
            (found.get(player) or name) if player else name
            for name, player in zip(names, players, strict=True)
        )

    def of(self, players: Iterable[str]) -> dict[str, str]:
        """The names of those of these players that have one.

        Raises:
            StoreUnavailable
        """
        now, asked = time.monotonic(), dict.fromkeys(players)
        missing = [each for each in asked if not self._is_fresh(each, now)]
        found = self._records.names(missing) if missing else {}
        with self._lock:
            for player in missing:
                self._kept[player] = now, found.get(player, "")
                self._kept.move_to_end(player)
            known = {player: kept[1] for player in asked if (kept := self._kept.get(player)) is not None}
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return {player: name for player, name in known.items() if name}

    def _is_fresh(self, player: str, now: float) -> bool:
        kept = self._kept.get(player)
        return kept is not None and now - kept[0] < FRESH_SECONDS


def players_of(state: GameState) -> list[str]:
    """The players who are named at a table."""
    return [seat.player for seat in state.seats if seat.player]
