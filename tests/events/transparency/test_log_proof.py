"""Heads, checkpoints and proofs as text: what is handed out can be read and checked by itself."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.game_head import GameHead, parse_game_head
from events.transparency.log_proof import (
    ConsistencyProof,
    parse_consistency_proof,
    parse_inclusion_proof,
    write_inclusion_proof,
)
from events.transparency.merkle_tree import MerkleTree, ProofRefused
from events.transparency.signed_note import NoteRefused, named_key, sign

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ORIGIN = "fieldbook.test/one"
KEY = named_key(ORIGIN, PRIVATE.public_key().public_bytes_raw())
HEADS = [GameHead(f"g{number}", 10 + number, "ab" * 32, "finished").text() for number in range(7)]


def log_of(heads: list[str]) -> tuple[MerkleTree, Checkpoint]:
    """A log with these entries and its checkpoint."""
    tree = MerkleTree()
    for head in heads:
        tree.append(head.encode())
    return tree, Checkpoint(ORIGIN, tree.size, tree.root(tree.size))


TREE, CHECKPOINT = log_of(HEADS)
SIGNED = sign(CHECKPOINT.text(), ORIGIN, PRIVATE)
PROOF = write_inclusion_proof(2, TREE.inclusion_proof(2, 7), SIGNED)


def test_a_head_is_five_lines_that_read_back() -> None:
    """The text that is signed and logged."""
    head = GameHead("g1", 12, "0f" * 32, "running")
    assert head.text() == f"fieldbook game head v1\ngame g1\nversion 12\nhash {'0f' * 32}\nstatus running\n"
    assert parse_game_head(head.text()) == head


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("v1", "v2"),
        ("game g1", "game g/1"),
        ("version 12", "version 012"),
        ("version 12", "version 0"),
        ("0f", "0F"),
        ("running", "paused"),
        ("status", "more x\nstatus"),
        ("running\n", "running"),
    ],
)
def test_what_is_no_head_is_refused(old: str, new: str) -> None:
    """Another version, another alphabet, another order: there is one way to write a head."""
    text = GameHead("g1", 12, "0f" * 32, "running").text()
    with pytest.raises(NoteRefused):
        parse_game_head(text.replace(old, new, 1))


def test_a_checkpoint_reads_back() -> None:
    """Origin, size and root; lines of other logs after them are left out."""
    assert parse_checkpoint(CHECKPOINT.text()) == CHECKPOINT
    assert parse_checkpoint(CHECKPOINT.text() + "extension\n") == CHECKPOINT


@pytest.mark.parametrize(
    "text", ["", "one\n7\n", "one\n07\n{}\n", "one\n7\nAAAA\n", "one\n7\n{}", "\n7\n{}\n"]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    """Lines missing, a size written in another way, a root of another length."""
    with pytest.raises(NoteRefused):
        parse_checkpoint(text.replace("{}", base64.b64encode(CHECKPOINT.root).decode()))


def test_an_inclusion_proof_is_one_text_that_proves_by_itself() -> None:
    """Index, hashes and the signed checkpoint (C2SP tlog-proof)."""
    assert PROOF.startswith("c2sp.org/tlog-proof@v1\nindex 2\n")
    assert PROOF.endswith("\n\n" + SIGNED)
    proof = parse_inclusion_proof(PROOF)
    assert proof.note.require([KEY]) == KEY
    assert proof.checkpoint == CHECKPOINT
    proof.check(HEADS[2])
    assert parse_inclusion_proof(PROOF.replace("index", "extra AAAA\nindex", 1)) == proof
    with pytest.raises(ProofRefused, match="not entry 2 of the log of 7"):
        proof.check(HEADS[3])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@v1", "@v2"),
        ("index 2\n", ""),
        ("index 2", "index 02"),
        ("index 2", "index -2"),
        ("index", "extra ?\nindex"),
        ("index 2\n", "index 2\nAAAA\n"),
        ("\n\n", "\n"),
    ],
)
def test_what_is_no_inclusion_proof_is_refused(old: str, new: str) -> None:
    """Another format, an index written in another way, a hash of another length."""
    with pytest.raises(NoteRefused):
        parse_inclusion_proof(PROOF.replace(old, new, 1))


def test_a_consistency_proof_shows_that_the_log_only_grew() -> None:
    """Between the two checkpoints that it names, and no others."""
    _, old = log_of(HEADS[:3])
    proof = ConsistencyProof(3, 7, tuple(TREE.consistency_proof(3, 7)))
    assert proof.text().startswith("fieldbook consistency proof v1\nfrom 3\nto 7\n")
    assert parse_consistency_proof(proof.text()) == proof
    proof.check(old, CHECKPOINT)
    _, rewritten = log_of(["another\n", *HEADS[1:]])
    with pytest.raises(ProofRefused, match="does not begin with"):
        proof.check(old, rewritten)
    with pytest.raises(ProofRefused, match="from 3 to 7, not from 7 to 7"):
        proof.check(CHECKPOINT, CHECKPOINT)


@pytest.mark.parametrize("text", ["", "fieldbook consistency proof v1\nfrom 3\n", "from 3\nto 7\n"])
def test_what_is_no_consistency_proof_is_refused(text: str) -> None:
    """Lines missing."""
    with pytest.raises(NoteRefused):
        parse_consistency_proof(text)
