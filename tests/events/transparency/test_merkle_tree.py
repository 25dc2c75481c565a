"""The log's tree: known roots, and proofs that hold for what is true and for nothing else (RFC 6962, section 2.1)."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.transparency.merkle_tree import (
    EMPTY_ROOT,
    MerkleTree,
    ProofRefused,
    check_consistency,
    root_of_inclusion,
)

LARGEST = 40
KNOWN = [bytes.fromhex(leaf) for leaf in ("", "00", "10", "2021", "3031", "40414243")]
"""The first leaves of the vectors that implementations of certificate transparency share."""


def grown(size: int) -> MerkleTree:
    """A tree with so many unlike leaves."""
    tree = MerkleTree()
    for number in range(size):
        tree.append(leaf(number))
    return tree


def leaf(number: int) -> bytes:
    """The content of the leaf with this number."""
    return f"leaf {number}".encode()


def leads_to_the_root(index: int, size: int, content: bytes, proof: list[bytes]) -> bool:
    """Whether the proof shows this content at this place."""
    try:
        return root_of_inclusion(index, size, content, proof) == TREE.root(size)
    except ProofRefused:
        return False


TREE = grown(LARGEST)
sizes = st.integers(0, LARGEST)


def by_definition(leaves: list[bytes]) -> bytes:
    """The root as section 2.1 defines it, leaf by leaf."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    halves = by_definition(leaves[:middle]) + by_definition(leaves[middle:])
    return hashlib.sha256(b"\x01" + halves).digest()


def test_roots_are_those_that_others_compute() -> None:
    """Empty, one leaf, six leaves: the vectors known from certificate transparency."""
    tree = MerkleTree()
    for each in KNOWN:
        tree.append(each)
    assert tree.root(0).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert tree.root(1).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert tree.root(6).hex() == "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"


@given(sizes)
def test_the_root_is_that_of_the_definition_at_every_size(size: int) -> None:
    """Also at sizes that the tree has outgrown."""
    assert TREE.root(size) == by_definition([leaf(number) for number in range(size)])


@given(st.data(), st.integers(1, LARGEST))
def test_an_inclusion_proof_leads_to_the_root(data: st.DataObject, size: int) -> None:
    """Every leaf is proven in every tree that has it."""
    index = data.draw(st.integers(0, size - 1))
    proof = TREE.inclusion_proof(index, size)
    assert root_of_inclusion(index, size, leaf(index), proof) == TREE.root(size)


@given(st.data(), st.integers(2, LARGEST))
def test_an_inclusion_proof_fits_no_other_leaf_and_no_other_place(data: st.DataObject, size: int) -> None:
    """Another content, another index, a hash less, a hash more, a changed hash: another root, or refused."""
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, size - 1).filter(lambda number: number != index))
    proof = TREE.inclusion_proof(index, size)
    place = data.draw(st.integers(0, len(proof) - 1))
    changed = [*proof[:place], hashlib.sha256(proof[place]).digest(), *proof[place + 1 :]]
    assert root_of_inclusion(index, size, leaf(other), proof) != TREE.root(size)
    assert root_of_inclusion(index, size, leaf(index), changed) != TREE.root(size)
    for wrong in (proof[:-1], [*proof, proof[0]]):
        with pytest.raises(ProofRefused, match=r"too (?:few|many) hashes"):
            root_of_inclusion(index, size, leaf(index), wrong)
    assert not leads_to_the_root(other, size, leaf(index), proof)


@given(st.data(), sizes)
def test_a_consistency_proof_shows_that_a_log_only_grew(data: st.DataObject, new: int) -> None:
    """From every earlier size to every later one."""
    old = data.draw(st.integers(0, new))
    check_consistency(old, new, TREE.root(old), TREE.root(new), TREE.consistency_proof(old, new))


@given(st.data(), st.integers(2, LARGEST))
def test_a_log_that_was_rewritten_has_no_consistency_proof(data: st.DataObject, new: int) -> None:
    """One entry of the old log is another one in the new log: neither log's proof holds."""
    old = data.draw(st.integers(1, new))
    replaced = data.draw(st.integers(0, old - 1))
    rewritten = MerkleTree()
    for number in range(new):
        rewritten.append(b"another" if number == replaced else leaf(number))
    for tree in (TREE, rewritten):
        with pytest.raises(ProofRefused, match="does not begin with"):
            check_consistency(old, new, TREE.root(old), rewritten.root(new), tree.consistency_proof(old, new))


@given(st.data(), st.integers(3, LARGEST))
def test_a_consistency_proof_with_a_hash_too_few_or_too_many_is_refused(
    data: st.DataObject, new: int
) -> None:
    """Cut off, doubled, or where nothing is to be proven."""
    old = data.draw(st.integers(1, new - 1))
    proof = TREE.consistency_proof(old, new)
    for wrong in (proof[:-1], [*proof, proof[0]]):
        with pytest.raises(ProofRefused, match=r"too (?:few|many) hashes"):
            check_consistency(old, new, TREE.root(old), TREE.root(new), wrong)
    for size in (0, new):
        with pytest.raises(ProofRefused, match="too many hashes"):
            check_consistency(size, new, TREE.root(size), TREE.root(new), proof)


def test_two_logs_of_one_size_with_different_roots_are_refused() -> None:
    """Whoever signs both has been caught."""
    with pytest.raises(ProofRefused, match="does not begin"):
        check_consistency(4, 4, TREE.root(4), EMPTY_ROOT, [])


def test_what_the_tree_never_had_is_not_proven() -> None:
    """Sizes and leaves beyond the tree."""
    for ask in (
        lambda: TREE.root(LARGEST + 1),
        lambda: TREE.inclusion_proof(3, 3),
        lambda: TREE.inclusion_proof(0, LARGEST + 1),
        lambda: TREE.consistency_proof(3, 2),
    ):
        with pytest.raises(ValueError, match="leaves"):
            ask()
    with pytest.raises(ProofRefused, match="no entry"):
        root_of_inclusion(3, 3, b"", [])
    with pytest.raises(ProofRefused, match="never had"):
        check_consistency(3, 2, EMPTY_ROOT, EMPTY_ROOT, [])
