"""Which ids mean one player, as a process knows it that was told of all merges some seconds ago."""

import math
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final

from events.store.event_store import EventStore
from service.players.store import PlayerRecords

FRESH_SECONDS: Final = 5.0
"""How long a process goes by what it was told: there may be as many merges as a store holds."""
MOST_IDS: Final = 8
"""Ids of one player that games are looked for by, at most."""


class MergedIds:
    """The ids that mean the same players, of a store; safe to use from many threads."""

    def __init__(self, store: EventStore) -> None:
        """Ask this store."""
        self._records = PlayerRecords(store)
        self._merged: tuple[float, Mapping[str, Sequence[str]]] = (-math.inf, {})
        self._lock = Lock()

    def of(self, player: str) -> tuple[str, ...]:
        """The id of the player whom this one means, this one, and others that lead there; at most `MOST_IDS`.

        Raises:
            StoreUnavailable
        """
        into = self._records.merged_into(player) or player
        self._refresh()
        return tuple(dict.fromkeys((into, player, *self._merged[1].get(into, ()))))[:MOST_IDS]

    def _refresh(self) -> None:
        told = self._merged[0]
        if time.monotonic() - told < FRESH_SECONDS:
            return
        # Whoever comes meanwhile goes by what was told before, if anything was.
        if not self._lock.acquire(blocking=told == -math.inf):
            return
        try:
            if self._merged[0] == told:
                self._merged = time.monotonic(), _by_player(self._records.merges())
        finally:
            self._lock.release()


def _by_player(merges: Mapping[str, str]) -> dict[str, list[str]]:
    """By player, all ids that lead there, along whatever others."""
    ends: dict[str, str] = {}
    for each in merges:
        way, into = dict[str, None](), each
        while into in merges and into not in ends and into not in way:
            way[into] = None
            into = merges[into]
        ends.update(dict.fromkeys(way, ends.get(into, into)))
    found: dict[str, list[str]] = defaultdict(list)
    for each in sorted(merges):
        found[ends[each]].append(each)
    return dict(found)
