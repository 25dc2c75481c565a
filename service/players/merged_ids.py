"""Which ids mean one player, as a process knows it that was told of all merges some seconds ago."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final

from events.store.event_store import EventStore
from service.players.store import PlayerRecords

FRESH_SECONDS: Final = 5.0
"""How long a process goes by what it was told: there may be as many merges as a store holds."""
MOST_IDS: Final = 20
"""Ids of one player that games are looked for by, at most."""


class MergedIds:
    """The ids that mean the same players, of a store; safe to use from many threads."""

    def __init__(self, store: EventStore) -> None:
        """Ask this store."""
        self._records = PlayerRecords(store)
        self._merged: tuple[float, Mapping[str, Sequence[str]]] = (-FRESH_SECONDS, {})
        self._lock = Lock()

    def of(self, player: str) -> tuple[str, ...]:
        """The id of the player whom this one means, and those that were merged into it; `MOST_IDS` at most.

        Raises:
            StoreUnavailable
        """
        into = self._records.merged_into(player) or player
        with self._lock:
            told, merged = self._merged
            if time.monotonic() - told >= FRESH_SECONDS:
                merged = _by_player(self._records.merges())
                self._merged = time.monotonic(), merged
        return (into, *merged.get(into, ()))[:MOST_IDS]


def _by_player(merges: Mapping[str, str]) -> dict[str, list[str]]:
    """By player, all ids that lead there, along whatever others."""
    found: dict[str, list[str]] = defaultdict(list)
    for each in sorted(merges):
        into, seen = merges[each], {each}
        while into in merges and into not in seen:
            seen.add(into)
            into = merges[into]
        found[into].append(each)
    return dict(found)
