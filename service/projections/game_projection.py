"""Projecting the list of games: a batch of a feed into one generation, with its checkpoint, in one step.

What is written follows from the feed, the logs and the games' house rules alone, never from the time, the batches or
who projects: so a list that is built anew is the same, byte for byte. Only the names of sets that were filled for a
while are kept for longer.

A game that cannot be read is in quarantine: it is listed with what is known of it, and the reason is kept. It is read
again from its beginning whenever its feed tells of it, and when it is asked for.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from events.store.errors import CheckpointMoved, GameNotFound, StoreDamaged
from events.store.event_store import EventStore, FeedEntry
from service.projections.generations import DUE, GAME_LIST, QUARANTINE, SUMMARIES
from service.projections.indexes import summary_writes
from service.projections.listed_games import Summary
from service.projections.projection import Applied, Projection
from service.projections.store import ReadModelRecords
from service.projections.summaries import Folded, fold_summary
from service.storage.checkpoints import Write
from service.verification.finished_games import LAST_EVENT
from service.verification.store import PENDING, verdict_of

_Stored = TypeVar("_Stored")


class Unprojectable(msgspec.Struct, frozen=True):
    """Why a game cannot be projected: it is in quarantine, as users read it."""

    reason: str
    position: int
    """The last feed entry that told of the game."""
    version: int
    """The version that this entry told of: as far as the game was played."""


class GameProjection(Projection):
    """The list of games in one generation; every method may raise StoreUnavailable."""

    title = "The list of games"
    shape = GAME_LIST

    def __init__(self, store: EventStore, generation: str) -> None:
        """Project what is in this store into the generation of this name."""
        super().__init__(store, generation)
        self._records = ReadModelRecords(store)

    def apply(self, partition: int, position: int, entries: Sequence[FeedEntry]) -> Applied:
        """Apply the entries behind a position, and move the checkpoint with them.

        Raises:
            CheckpointMoved: another process was faster; nothing was applied.
        """
        told = {entry.game_id: (entry.last_version, entry.position) for entry in entries}
        return self._move(partition, position, entries[-1].position, told)

    def retry(self, partition: int) -> Applied:
        """Read the games in quarantine again; the checkpoint stays where it is."""
        while True:
            position = self.position(partition)
            found = self.unprojectable(partition)
            told = {game: (each.version, each.position) for game, each in found.items()}
            try:
                return self._move(partition, position, position, told) if told else Applied(position)
            except CheckpointMoved:
                continue

    def unprojectable(self, partition: int) -> dict[str, Unprojectable]:
        """The games that cannot be read as far as they were played, in the order of their ids."""
        found = self._records.values(partition, self._name, QUARANTINE)
        return {game: self._quarantine(game, each) for game, each in sorted(found.items())}

    def _quarantine(self, game: str, stored: bytes) -> Unprojectable:
        known = _read(stored, Unprojectable)
        if known is not None:
            return known
        head = self._store.head(game)
        return Unprojectable(
            "the reason that was stored cannot be read", 0, head.version if head is not None else 1
        )

    def _move(self, partition: int, position: int, to: int, told: dict[str, tuple[int, int]]) -> Applied:
        games = list(told)
        parts = SUMMARIES, QUARANTINE
        summaries, reasons, reports = self._records.before(partition, self._name, parts, games)
        verdicts = map(verdict_of, reports)
        writes: list[Write] = []
        finished, unprojectable, released = [], [], []
        for game, stored, reason, verdict in zip(games, summaries, reasons, verdicts, strict=True):
            version, at = told[game]
            was, before = _read(stored, Summary), _read(reason, Unprojectable)
            now = self._fold(game, was, version)
            writes += summary_writes(was, now.summary, known=stored is None or was is not None)
            if now.reason:
                entry = Unprojectable(now.reason, at, version)
                writes.append(Write("HSET", QUARANTINE, (game, msgspec.json.encode(entry))))
                if before is None or before.reason != now.reason:
                    unprojectable.append((game, now.reason))
            elif reason is not None:
                writes.append(Write("HDEL", QUARANTINE, (game,)))
                released.append(game)
            if verdict == PENDING and self._is_finished(now, version):
                writes.append(Write("ZADD", DUE, (now.summary.created, game)))
                finished.append((game, version))
        self._checkpoints.project(partition, self._name, position, to, writes)
        return Applied(to, tuple(finished), tuple(unprojectable), tuple(released))

    def _fold(self, game: str, was: Summary | None, version: int) -> Folded:
        """The game at a version; one that was, or has to go, into quarantine is read from its beginning."""
        if was is not None and not was.quarantined:
            if was.version >= version:
                return Folded(was)
            found = fold_summary(self._store, game, was, version)
            if not found.reason:
                return found
        found = fold_summary(self._store, game, None, version)
        if found.reason and was is not None and was.version > found.summary.version:
            # What was known of the game stays known, also when less of it can be read today.
            return Folded(msgspec.structs.replace(was, quarantined=True), found.reason)
        return found

    def _is_finished(self, found: Folded, version: int) -> bool:
        """Whether the game is over, also where a part of it cannot be read: the verifier says what is wrong."""
        if not found.reason:
            return found.summary.status == "finished"
        try:
            last = self._store.read(found.summary.game, version - 1, 1)
        except (GameNotFound, StoreDamaged):
            return False
        return [each.type for each in last] == [LAST_EVENT]


def _read(stored: bytes | None, kind: type[_Stored]) -> _Stored | None:
    """What is stored of a game; None also where that cannot be read: then the game is read from its beginning."""
    try:
        return msgspec.json.decode(stored, type=kind) if stored is not None else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
