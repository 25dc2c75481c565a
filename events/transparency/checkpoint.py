"""Checkpoints: the signed head of a transparency log (C2SP tlog-checkpoint, https://c2sp.org/tlog-checkpoint)."""

import base64
import re
from dataclasses import dataclass

from events.transparency.signed_note import NoteRefused, decode_base64

_TEXT = re.compile(
    r"(?P<origin>[^\n]+)\n(?P<size>0|[1-9][0-9]{0,14})\n(?P<root>[^\n]+)\n(?P<more>(?:[^\n]+\n)*)"
)
_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log's size and root."""

    origin: str
    """The log's name."""
    size: int
    """The number of its entries."""
    root: bytes
    """32 bytes: the root of its Merkle tree at this size."""

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{self.encoded_root()}\n"

    def encoded_root(self) -> str:
        """The root as it stands in the text."""
        return base64.b64encode(self.root).decode()


def parse_checkpoint(text: str) -> Checkpoint:
    """Read the text of a checkpoint; lines after the third are other logs' affair and left out.

    Raises:
        NoteRefused: it is none.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise NoteRefused("the text is no checkpoint: three lines with origin, size and root")
    root = decode_base64(found["root"])
    if len(root) != _HASH_BYTES:
        raise NoteRefused("a checkpoint's root has 32 bytes")
    return Checkpoint(found["origin"], int(found["size"]), root)
