"""What a store remembers of a game's commands, as it stands in an archived game and in a backup."""

import gzip
import zlib

import msgspec

from events.store.errors import StoreDamaged
from events.store.event_store import Appended, IdempotencyRecord


class RememberedAnswer(msgspec.Struct, frozen=True, array_like=True):
    """The first answer to a command, as a JSON array."""

    fingerprint: str
    first_version: int
    last_version: int
    head_hash: str

    def known(self) -> IdempotencyRecord:
        """Return it as a store's answer to a repeated command."""
        answer = Appended(
            first_version=self.first_version,
            last_version=self.last_version,
            head_hash=self.head_hash,
            duplicate=True,
        )
        return IdempotencyRecord(fingerprint=self.fingerprint, answer=answer)


PackedCommands = list[tuple[str, RememberedAnswer]]
"""Command ids and what is remembered of each, in a fixed order."""


def pack_commands(commands: PackedCommands) -> bytes:
    """All that is remembered of a game's commands, as gzipped JSON."""
    return gzip.compress(msgspec.json.encode(commands), mtime=0)


def unpack_commands(packed: bytes) -> PackedCommands:
    """The opposite of `pack_commands`; raises StoreDamaged."""
    try:
        return msgspec.json.decode(gzip.decompress(packed), type=PackedCommands)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError) as error:
        raise StoreDamaged(f"The commands of an archived game cannot be read: {error}") from error
