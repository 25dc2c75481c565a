"""The Merkle tree of a transparency log (RFC 6962, section 2.1), and the checks of its proofs.

All hashes are SHA-256, 32 bytes. A tree only grows; every proof is about the tree as it was at some size.
"""

import hashlib
from collections.abc import Sequence

EMPTY_ROOT = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


class ProofRefused(Exception):
    """A proof does not prove what it was given for; the message says what does not fit."""


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf with this content."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of the node over two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """A tree that keeps the hash of every complete subtree: about 150 bytes of memory for each leaf."""

    def __init__(self) -> None:
        """Begin without leaves."""
        self._levels: list[list[bytes]] = [[]]

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._levels[0])

    def append(self, leaf: bytes) -> None:
        """Add a leaf with this content."""
        node, level = leaf_hash(leaf), 0
        while True:
            if level == len(self._levels):
                self._levels.append([])
            nodes = self._levels[level]
            nodes.append(node)
            if len(nodes) % 2:
                return
            node, level = node_hash(nodes[-2], node), level + 1

    def root(self, size: int) -> bytes:
        """The root of the tree when it had so many leaves.

        Raises:
            ValueError: it never had.
        """
        self._check(size)
        return self._hash(0, size) if size else EMPTY_ROOT

    def inclusion_proof(self, index: int, size: int) -> list[bytes]:
        """The proof that this leaf, counted from 0, is in the tree of this size.

        Raises:
            ValueError: there is no such leaf or size.
        """
        self._check(size)
        if not 0 <= index < size:
            raise ValueError(f"a tree of {size} leaves has no leaf {index}")
        start, end, proof = 0, size, []
        while end - start > 1:
            middle = start + _largest_power_below(end - start)
            if index < middle:
                proof.append(self._hash(middle, end))
                end = middle
            else:
                proof.append(self._hash(start, middle))
                start = middle
        return proof[::-1]

    def consistency_proof(self, old: int, new: int) -> list[bytes]:
        """The proof that the tree of size `new` begins with all leaves of the tree of size `old`.

        Raises:
            ValueError: there are no such sizes.
        """
        self._check(new)
        if not 0 <= old <= new:
            raise ValueError(f"a tree of {new} leaves never had {old}")
        if old in (0, new):
            return []
        start, end, proof, whole = 0, new, [], True
        while old != end:
            middle = start + _largest_power_below(end - start)
            if old <= middle:
                proof.append(self._hash(middle, end))
                end = middle
            else:
                proof.append(self._hash(start, middle))
                start, whole = middle, False
        if not whole:
            proof.append(self._hash(start, end))
        return proof[::-1]

    def _check(self, size: int) -> None:
        if not 0 <= size <= self.size:
            raise ValueError(f"the tree has {self.size} leaves, not {size}")

    def _hash(self, start: int, end: int) -> bytes:
        """The hash over the leaves from `start` up to `end`, where `start` is a multiple of the part's size."""
        count = end - start
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._levels[level][start >> level]
        middle = start + _largest_power_below(count)
        return node_hash(self._hash(start, middle), self._hash(middle, end))


def _largest_power_below(count: int) -> int:
    return 1 << (count - 1).bit_length() - 1


def root_of_inclusion(index: int, size: int, leaf: bytes, proof: Sequence[bytes]) -> bytes:
    """The root that a tree of this size has when the proof for the leaf with this content is right.

    Raises:
        ProofRefused: the proof has the wrong length, or there is no such leaf.
    """
    if not 0 <= index < size:
        raise ProofRefused(f"a log of {size} entries has no entry {index}")
    hashes = _Hashes(proof)

    def root(index: int, size: int) -> bytes:
        if size == 1:
            return leaf_hash(leaf)
        left = _largest_power_below(size)
        if index < left:
            return node_hash(root(index, left), hashes.take())
        inner = root(index - left, size - left)
        return node_hash(hashes.take(), inner)

    found = root(index, size)
    hashes.finish()
    return found


def check_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that the tree of `new` leaves begins with the one of `old` leaves.

    Raises:
        ProofRefused: it does not, or the proof does not show it.
    """
    if not 0 <= old <= new:
        raise ProofRefused(f"a log of {new} entries never had {old}")
    hashes = _Hashes(proof)

    def roots(old: int, new: int, *, whole: bool) -> tuple[bytes, bytes]:
        """The roots of the part that was there and of the part as it is; `whole` as long as it is on the left."""
        if old == new:
            same = old_root if whole else hashes.take()
            return same, same
        left = _largest_power_below(new)
        if old <= left:
            before, after = roots(old, left, whole=whole)
            return before, node_hash(after, hashes.take())
        before, after = roots(old - left, new - left, whole=False)
        same = hashes.take()
        return node_hash(same, before), node_hash(same, after)

    found = roots(old, new, whole=True) if old else (EMPTY_ROOT, new_root)
    hashes.finish()
    if found != (old_root, new_root):
        raise ProofRefused(f"the log of {new} entries does not begin with the log of {old} entries")


class _Hashes:
    """The hashes of a proof, taken one after the other from the leaves upwards."""

    def __init__(self, proof: Sequence[bytes]) -> None:
        self._rest = iter(proof)

    def take(self) -> bytes:
        found = next(self._rest, None)
        if found is None:
            raise ProofRefused("the proof has too few hashes")
        return found

    def finish(self) -> None:
        if next(self._rest, None) is not None:
            raise ProofRefused("the proof has too many hashes")
