"""The names to show for the players at a table, put in wherever a view is composed: the log has neutral ones.

No two seats of a table are shown with names that look alike, whatever a player is called elsewhere.

A process keeps what it was told for some seconds, so a name that is changed or forgotten is so everywhere after them.
"""

import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Final

from msgspec.structs import replace

from events.rules.definition.names import tell_apart
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
        """Return the table with the names to show; as it is where no player is named by an id.

        Raises:
            StoreUnavailable
        """
        seats = state.seats
        if not players_of(state):
            return state
        names = self.shown([each.name for each in seats], [each.player for each in seats])
        named = (replace(seat, name=name or "") for seat, name in zip(seats, names, strict=True))
        return replace(state, seats=tuple(named))

    def shown(self, names: Sequence[str | None], players: Sequence[str | None]) -> tuple[str | None, ...]:
        """Return the names of seats with those to show put in; `players` are their ids, as far as they are known.

        Raises:
            StoreUnavailable
        """
        if not any(players):
            return tuple(names)
        found = self.of(filter(None, players))
        wanted = [
            (found.get(player or "") or name or "") for name, player in zip(names, players, strict=True)
        ]
        told = tell_apart(wanted, {seat for seat, player in enumerate(players) if player})
        return tuple(each or name for each, name in zip(told, names, strict=True))

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
