"""Proofs from the log: that an entry is in it, and that it only grew.

An inclusion proof is written as C2SP tlog-proof has it (https://c2sp.org/tlog-proof), with the checkpoint in it, so
one text is all that is needed offline. There is no such format for consistency proofs: ours names the two sizes and
then the hashes in the same way.
"""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.merkle_tree import ProofRefused, check_consistency, root_of_inclusion
from events.transparency.signed_note import Note, NoteRefused, decode_base64, parse_note

MOST_HASHES = 64
_FIRST_LINE = "c2sp.org/tlog-proof@v1"
_INDEX = re.compile(r"index (0|[1-9][0-9]{0,14})")
_CONSISTENCY = re.compile(
    r"fieldbook consistency proof v1\nfrom (0|[1-9][0-9]{0,14})\nto (0|[1-9][0-9]{0,14})\n((?:[^\n]+\n)*)"
)
_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """The proof that an entry is in the log of a checkpoint."""

    index: int
    """The entry's place in the log, counted from 0."""
    hashes: tuple[bytes, ...]
    note: Note
    """The checkpoint with its signatures."""
    checkpoint: Checkpoint
    extra: bytes = field(default=b"", compare=False)
    """Other data in the proof, which nothing vouches for."""

    def check(self, leaf: str) -> None:
        """Check that the entry with this content is there.

        Raises:
            ProofRefused: the proof does not show it.
        """
        root = root_of_inclusion(self.index, self.checkpoint.size, leaf.encode(), self.hashes)
        if root != self.checkpoint.root:
            raise ProofRefused(
                f"the entry is not entry {self.index} of the log of {self.checkpoint.size} entries"
            )


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """The proof that a log of one size grew out of the same log at a smaller size."""

    old: int
    new: int
    hashes: tuple[bytes, ...]

    def text(self) -> str:
        """The proof as it is handed out."""
        return f"fieldbook consistency proof v1\nfrom {self.old}\nto {self.new}\n" + encode_hashes(
            self.hashes
        )

    def check(self, old: Checkpoint, new: Checkpoint) -> None:
        """Check that the log of the second checkpoint begins with the whole log of the first.

        Raises:
            ProofRefused: it does not, or the proof is about other sizes.
        """
        if (old.size, new.size) != (self.old, self.new):
            raise ProofRefused(
                f"the proof goes from {self.old} to {self.new}, not from {old.size} to {new.size}"
            )
        check_consistency(self.old, self.new, old.root, new.root, self.hashes)


def write_inclusion_proof(index: int, hashes: Sequence[bytes], checkpoint: str) -> str:
    """The proof as C2SP tlog-proof has it, around a signed checkpoint."""
    return f"{_FIRST_LINE}\nindex {index}\n{encode_hashes(hashes)}\n{checkpoint}"


def parse_inclusion_proof(text: str) -> InclusionProof:
    """Read an inclusion proof; nothing of it is checked yet.

    Raises:
        NoteRefused: it has another form.
    """
    head, separator, checkpoint = text.partition("\n\n")
    first, *rest = head.split("\n")
    extra = b""
    if rest and rest[0].startswith("extra "):
        extra = decode_base64(rest.pop(0).removeprefix("extra "))
    index = _INDEX.fullmatch(rest[0]) if rest else None
    if first != _FIRST_LINE or index is None or not separator:
        raise NoteRefused(
            f"a proof begins with {_FIRST_LINE!r} and the entry's index, and holds a checkpoint"
        )
    note = parse_note(checkpoint)
    return InclusionProof(int(index[1]), decode_hashes(rest[1:]), note, parse_checkpoint(note.text), extra)


def parse_consistency_proof(text: str) -> ConsistencyProof:
    """Read a consistency proof; nothing of it is checked yet.

    Raises:
        NoteRefused: it has another form.
    """
    found = _CONSISTENCY.fullmatch(text)
    if found is None:
        raise NoteRefused("a consistency proof names the two sizes and then its hashes")
    return ConsistencyProof(int(found[1]), int(found[2]), decode_hashes(found[3].splitlines()))


def encode_hashes(hashes: Sequence[bytes]) -> str:
    """The hashes of a proof, a line for each."""
    return "".join(f"{base64.b64encode(each).decode()}\n" for each in hashes)


def decode_hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    """The hashes of a proof, of which each stands in a line.

    Raises:
        NoteRefused: they are none, or too many.
    """
    hashes = tuple(decode_base64(line) for line in lines)
    if len(hashes) > MOST_HASHES or any(len(each) != _HASH_BYTES for each in hashes):
        raise NoteRefused(f"a proof has at most {MOST_HASHES} hashes of {_HASH_BYTES} bytes")
    return hashes
