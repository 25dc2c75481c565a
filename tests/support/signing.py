"""A service's key and log for tests: signs heads, logs them, and proves it, as a service does."""

from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.game.record import Attachment
from events.transparency.checkpoint import Checkpoint
from events.transparency.cosignature import cosign
from events.transparency.game_commitment import GameCommitment
from events.transparency.game_head import GameHead
from events.transparency.log_proof import ConsistencyProof, write_inclusion_proof
from events.transparency.merkle_tree import MerkleTree
from events.transparency.signed_note import Note, VerifierKey, named_key, parse_note, sign


@dataclass
class Signer:
    """A key with a log of its own; the same number gives the same key."""

    number: int = 1
    name: str = "fieldbook.test/log"
    heads: list[str] = field(default_factory=list)

    @property
    def private(self) -> Ed25519PrivateKey:
        """The private key."""
        return Ed25519PrivateKey.from_private_bytes(self.number.to_bytes(32, "big"))

    @property
    def key(self) -> VerifierKey:
        """The published key."""
        return named_key(self.name, self.private.public_key().public_bytes_raw())

    def signed(self, head: GameHead | GameCommitment) -> str:
        """A receipt."""
        return sign(head.text(), self.name, self.private)

    def log(self, head: GameHead) -> int:
        """Log a head; returns its index."""
        self.heads.append(head.text())
        return len(self.heads) - 1

    def tree(self) -> MerkleTree:
        """The log's tree."""
        tree = MerkleTree()
        for head in self.heads:
            tree.append(head.encode())
        return tree

    def checkpoint(self) -> str:
        """The signed checkpoint of the log as it stands."""
        tree = self.tree()
        return sign(Checkpoint(self.name, tree.size, tree.root(tree.size)).text(), self.name, self.private)

    def kept(self) -> Note:
        """The checkpoint as somebody keeps it."""
        return parse_note(self.checkpoint())

    def cosigned(self, index: int, at: int) -> Attachment:
        """The proof of an entry in the log as it stands, with a checkpoint that a witness has co-signed."""
        tree, checkpoint = self.tree(), self.checkpoint()
        line = cosign(parse_note(checkpoint).text, "witness.test/w0", Signer(77).private, at)
        proof = write_inclusion_proof(index, tree.inclusion_proof(index, tree.size), checkpoint + line)
        return Attachment("inclusion", proof)

    def attachments(self, head: GameHead, index: int | None = None, since: int = 0) -> list[Attachment]:
        """What a service attaches to a record with this head, logged at an index, for a checkpoint kept earlier."""
        found = [Attachment("key", str(self.key)), Attachment("head", self.signed(head))]
        if index is None:
            return found
        tree = self.tree()
        proof = write_inclusion_proof(index, tree.inclusion_proof(index, tree.size), self.checkpoint())
        found.append(Attachment("inclusion", proof))
        if since:
            consistency = ConsistencyProof(since, tree.size, tuple(tree.consistency_proof(since, tree.size)))
            found.append(Attachment("consistency", consistency.text()))
        return found
