"""The service's transparency log: the heads of all finished games, in the order in which they were logged.

The leaves are kept in the log's own store, in one partition, and appended by the function that moves projections: the
checkpoint is the size, so an append is exact and never doubled. Nothing rebuilds it: it is no projection. Every
process keeps the tree of hashes in memory, about 150 bytes a game, and follows the leaves.
"""

from threading import Lock
from typing import Final

from events.store.errors import CheckpointMoved, StoreDamaged, StoreUnavailable
from events.store.event_store import EventStore
from events.transparency.checkpoint import Checkpoint
from events.transparency.game_head import GameHead
from events.transparency.log_proof import ConsistencyProof, write_inclusion_proof
from events.transparency.merkle_tree import MerkleTree, leaf_hash
from service.access.game_access import GameAccess
from service.platform.setting_kinds import MOST_WITNESSES
from service.storage.checkpoints import Checkpoints, Write
from service.verification.signing_keys import SigningKeys
from service.verification.store import (
    LEAVES,
    LOG,
    LOG_PARTITION,
    PLACES,
    UNLISTED,
    CosignatureRecords,
    LeafRecords,
)

_CHUNK: Final = 5000
_COMPARED: Final = 16
_PROOFS: Final = 4
"""Proofs with which one record shows what several witnesses have seen, at most."""


HIDDEN_LEAF: Final = "fieldbook hidden leaf v1\nhash {}\n"
"""What is published of the leaf of a game that is not public."""


class NoSuchEntry(Exception):
    """The log never had this size, or does not hold this game; the message says which."""


class TransparencyLog:
    """The log of an installation. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: EventStore, keys: SigningKeys) -> None:
        """Keep the log in this store and sign its checkpoints with these keys."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._records = LeafRecords(store)
        self._game_access = GameAccess(store)
        self._cosignatures = CosignatureRecords(store)
        self._keys = keys
        self._tree = MerkleTree()
        self._newest: list[bytes] = []
        self._lock = Lock()

    def log(self, head: GameHead) -> int:
        """Log the head of a finished game, once; returns its place, counted from 0.

        A game whose partition has lost something, and was released, may end a second time in another way. Both heads
        stand in the log then, as both were what the service had said; the game's place is that of the later one.

        Raises:
            StoreDamaged: the log has another head of the game, and nobody has accepted a loss.
        """
        while True:
            # The size is read first: whoever logs the game after that moves it, and our append is refused.
            size = self._checkpoints.checkpoint(LOG_PARTITION, LOG)
            known = self.place_of(head.game)
            if known is not None:
                if self.entries(known, 1) == [head.text()]:
                    return known
                self._check_second(head)
            writes = [
                Write("HSET", LEAVES, (size, head.text())),
                Write("HSET", PLACES, (head.game, size)),
            ]
            if not self._game_access.policy(head.game).is_listed:
                writes.append(Write("SADD", UNLISTED, (size,)))
            try:
                self._checkpoints.project(LOG_PARTITION, LOG, size, size + 1, writes)
            except CheckpointMoved:
                continue
            return size

    def _check_second(self, head: GameHead) -> None:
        """Let a game have a second head in the log only where its operator has accepted a loss."""
        if not self._store.quarantine.was_released(self._store.partition_of(head.game)):
            raise StoreDamaged(f"The log holds another head of game {head.game} than the game has now.")
        now = self._store.head(head.game)
        if now is None or (now.version, now.hash) != (head.version, head.hash):
            raise StoreUnavailable(f"Game {head.game} has lost this head meanwhile: ask again.")

    def place_of(self, game: str) -> int | None:
        """A game's place in the log, counted from 0; None while it is not logged."""
        return self._records.place_of(game)

    def size(self) -> int:
        """The number of entries."""
        return self._checkpoints.checkpoint(LOG_PARTITION, LOG)

    def entries(self, first: int, count: int) -> list[str]:
        """Some entries in order, from the one at place `first`; fewer where the log ends."""
        count = min(count, self.size() - first)
        if count < 1:
            return []
        places = range(first, first + count)
        found = []
        for place, leaf in zip(places, self._records.at(places), strict=True):
            if leaf is None:
                raise StoreDamaged(f"The transparency log has no entry {place}.")
            found.append(leaf.decode())
        return found

    def published(self, first: int, count: int) -> list[str]:
        """The same entries as everybody may read them: of a game that is not public only the hash of its leaf.

        The root of a checkpoint is computed from that just as well, and nobody learns from the log that such a game
        exists: its leaf cannot be guessed, because the head's hash is in it.
        """
        entries = self.entries(first, count)
        places = range(first, first + len(entries))
        if not entries:
            return []
        unlisted = self._records.are_unlisted(places)
        return [
            HIDDEN_LEAF.format(leaf_hash(entry.encode()).hex()) if hidden else entry
            for entry, hidden in zip(entries, unlisted, strict=True)
        ]

    def unlisted(self) -> frozenset[int]:
        """The places of all games that are not public."""
        return self._records.unlisted()

    def checkpoint(self, size: int | None = None) -> str:
        """The signed checkpoint of the log at this size, or as it stands, with what witnesses have co-signed of it.

        Raises:
            NoSuchEntry: it never had this size.
        """
        tree, size = self._followed(size)
        checkpoint = Checkpoint(self._keys.name, size, tree.root(size))
        lines = self._cosignatures.of(size, checkpoint.encoded_root())[:MOST_WITNESSES]
        return self._keys.sign(checkpoint.text()) + "".join(lines)

    def cosigned_checkpoint(self) -> str:
        """The newest checkpoint that a witness has co-signed.

        Raises:
            NoSuchEntry: none has.
        """
        size = self._cosignatures.last_size()
        if size is None or size > self.size():
            raise NoSuchEntry("No witness has co-signed the log as it is.")
        return self.checkpoint(size)

    def proving_sizes(self, game: str) -> list[int]:
        """At which sizes of the log its checkpoint says most about a game: the first that a witness has co-signed.

        These are one or more, for each witness has seen the game for the first time at a size of its own. Where none
        has co-signed the game yet, it is the log as it stands.
        """
        place = self.place_of(game)
        size = self.size()
        found = [] if place is None else self._cosignatures.first_sizes(place, _PROOFS)
        return [each for each in found if each <= size] or [size]

    def cosign(self, size: int, line: str) -> None:
        """Keep what a witness has said of the log at this size; the line was verified.

        Raises:
            NoSuchEntry: it never had this size.
        """
        tree, size = self._followed(size)
        root = Checkpoint(self._keys.name, size, tree.root(size)).encoded_root()
        self._cosignatures.add(size, root, line)

    def inclusion_proof(self, game: str, size: int | None = None) -> str:
        """The proof that a game's head is in the log of this size, or as it stands.

        Raises:
            NoSuchEntry: it is not.
        """
        place = self.place_of(game)
        tree, size = self._followed(size)
        if place is None or place >= size:
            raise NoSuchEntry(f"Game {game} is not among the first {size} entries of the log.")
        return write_inclusion_proof(place, tree.inclusion_proof(place, size), self.checkpoint(size))

    def consistency_proof(self, old: int, new: int | None = None) -> str:
        """The proof that the log at size `new`, or as it stands, grew out of the log at size `old`.

        Raises:
            NoSuchEntry: it never had these sizes.
        """
        tree, new = self._followed(new)
        if not 0 <= old <= new:
            raise NoSuchEntry(f"A log of {new} entries did not grow out of one of {old}.")
        return ConsistencyProof(old, new, tuple(tree.consistency_proof(old, new))).text()

    def _followed(self, size: int | None) -> tuple[MerkleTree, int]:
        """The tree, moved along the log, and the size asked for."""
        with self._lock:
            stored = self.size()
            if stored < self._tree.size:
                raise StoreDamaged(
                    f"The transparency log had {self._tree.size} entries and has {stored}: the store lost some."
                )
            while self._follow():
                pass
            size = stored if size is None else size
            if not 0 <= size <= self._tree.size:
                raise NoSuchEntry(f"The log has {self._tree.size} entries; it never had {size}.")
            return self._tree, size

    def _follow(self) -> bool:
        """Move the tree along by some entries; False at the end of the log.

        The newest entries known are compared each time: a store that has lost some and went on would otherwise have
        this process sign another history than its neighbours do.
        """
        known = len(self._newest)
        leaves = [leaf.encode() for leaf in self.entries(self._tree.size - known, _CHUNK)]
        if leaves[:known] != self._newest:
            raise StoreDamaged(
                f"The transparency log had other entries before {self._tree.size}: the store lost some, and went on."
            )
        for leaf in leaves[known:]:
            self._tree.append(leaf)
        self._newest = leaves[-_COMPARED:]
        return len(leaves) > known
