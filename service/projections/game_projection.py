"""Projecting the list of games: a batch of a feed into one generation, with its checkpoint, in one step.

What is written follows from the feed, the logs and the games' house rules alone, never from the time, the batches or
who projects: so a list that is built anew is the same, byte for byte.

A game that cannot be read is in quarantine: it is listed with what is known of it, and the reason is kept. It is read
again from its beginning whenever its feed tells of it, and when it is asked for.
"""

from typing import Final, TypeVar

import msgspec

from events.redis_store import RedisEventStore
from events.store import FeedEntry
from events.store_errors import CheckpointMoved, GameNotFound, StoreDamaged
from service.checkpoints import Checkpoints, Write
from service.finished_games import LAST_EVENT
from service.projections.feed_batches import feed_batch
from service.projections.generations import DUE, QUARANTINE, SUMMARIES
from service.projections.indexes import summary_writes
from service.projections.summaries import Folded, folded
from service.read_models import Summary
from service.validations import PENDING, Validations, verdict_of

BATCH: Final = 200
"""Feed entries applied in one step."""


_Stored = TypeVar("_Stored")


class Quarantined(msgspec.Struct, frozen=True):
    """Why a game is in quarantine."""

    reason: str
    position: int
    """The last feed entry that told of the game."""
    version: int
    """The version that this entry told of: as far as the game was played."""


class Applied(msgspec.Struct, frozen=True):
    """What one step has changed."""

    position: int
    """Where the checkpoint stands now."""
    finished: tuple[tuple[str, int], ...] = ()
    """Games, with their versions, that have become due for validation."""
    quarantined: tuple[tuple[str, str], ...] = ()
    """Games, with the reason, that came into quarantine, or are in it for another reason now."""
    released: tuple[str, ...] = ()
    """Games that left quarantine."""
    entries: tuple[FeedEntry, ...] = ()
    """The entries of the feed that it was made of."""


class GameProjection:
    """The list of games in one generation; every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore, name: str) -> None:
        """Project what is in this store into the generation of this name."""
        self._store = store
        self._name = name
        self._checkpoints = Checkpoints(store)
        self._validations = Validations(store)

    def position(self, partition: int) -> int:
        """How far a partition's feed is projected."""
        return self._checkpoints.checkpoint(partition, self._name)

    def apply(self, partition: int, limit: int = BATCH) -> Applied | None:
        """Apply the next entries of a partition's feed, at most `limit`; None when there are none.

        Raises:
            CheckpointMoved: another process was faster; nothing was applied.
            StoreDamaged: the feed does not hold together; see `feed_batch`.
        """
        position = self.position(partition)
        entries = feed_batch(self._store, partition, position, limit)
        if not entries:
            return None
        told = {entry.game_id: (entry.last_version, entry.position) for entry in entries}
        applied = self._move(partition, position, entries[-1].position, told)
        return msgspec.structs.replace(applied, entries=entries)

    def retry(self, partition: int) -> Applied:
        """Read the games in quarantine again; the checkpoint stays where it is."""
        while True:
            position = self.position(partition)
            found = self.quarantine(partition)
            told = {game: (each.version, each.position) for game, each in found.items()}
            try:
                return self._move(partition, position, position, told) if told else Applied(position)
            except CheckpointMoved:
                continue

    def quarantine(self, partition: int) -> dict[str, Quarantined]:
        """The games in quarantine, in the order of their ids."""
        found = self._store.connection.command("HGETALL", self._key(partition, QUARANTINE))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {game.decode(): self._quarantined(game.decode(), each) for game, each in sorted(pairs)}

    def _quarantined(self, game: str, stored: bytes) -> Quarantined:
        known = _read(stored, Quarantined)
        if known is not None:
            return known
        head = self._store.head(game)
        return Quarantined(
            "the reason that was stored cannot be read", 0, head.version if head is not None else 1
        )

    def _move(self, partition: int, position: int, to: int, told: dict[str, tuple[int, int]]) -> Applied:
        games = list(told)
        summaries, reasons, reports = self._store.connection.commands(
            ("HMGET", self._key(partition, SUMMARIES), *games),
            ("HMGET", self._key(partition, QUARANTINE), *games),
            self._validations.question(partition, games),
        )
        verdicts = map(verdict_of, reports)
        writes: list[Write] = []
        finished, quarantined, released = [], [], []
        for game, stored, reason, verdict in zip(games, summaries, reasons, verdicts, strict=True):
            version, at = told[game]
            was, before = _read(stored, Summary), _read(reason, Quarantined)
            now = self._folded(game, was, version)
            writes += summary_writes(was, now.summary, known=stored is None or was is not None)
            if now.reason:
                entry = Quarantined(now.reason, at, version)
                writes.append(Write("HSET", QUARANTINE, (game, msgspec.json.encode(entry))))
                if before is None or before.reason != now.reason:
                    quarantined.append((game, now.reason))
            elif reason is not None:
                writes.append(Write("HDEL", QUARANTINE, (game,)))
                released.append(game)
            if verdict == PENDING and self._is_finished(now, version):
                writes.append(Write("ZADD", DUE, (now.summary.created, game)))
                finished.append((game, version))
        self._checkpoints.project(partition, self._name, position, to, writes)
        return Applied(to, tuple(finished), tuple(quarantined), tuple(released))

    def _folded(self, game: str, was: Summary | None, version: int) -> Folded:
        """The game at a version; one that was, or has to go, into quarantine is read from its beginning."""
        if was is not None and not was.quarantined:
            if was.version >= version:
                return Folded(was)
            found = folded(self._store, game, was, version)
            if not found.reason:
                return found
        found = folded(self._store, game, None, version)
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

    def _key(self, partition: int, part: str) -> str:
        return self._checkpoints.read_model_key(partition, self._name, part)


def _read(stored: bytes | None, kind: type[_Stored]) -> _Stored | None:
    """What is stored of a game; None also where that cannot be read: then the game is read from its beginning."""
    try:
        return msgspec.json.decode(stored, type=kind) if stored is not None else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
