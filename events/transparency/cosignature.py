"""Cosignatures: what a witness says of a checkpoint, and when (C2SP tlog-cosignature, https://c2sp.org/tlog-cosignature).

A witness that has seen the log grow signs a checkpoint together with the time at which it does so: from then on its
signature shows that everything in the log of that size was there by that time, whatever the clock of the log says. Of
the two kinds this is the one with Ed25519, `cosignature/v1`; on a checkpoint it is one more signature line of the
note:

    — <name> <base 64 of 4 bytes key id, 8 bytes seconds since the epoch, 64 bytes signature>

Signed are the line `cosignature/v1`, the line `time <seconds>` and the text of the checkpoint. The type byte of these
keys is 0x04, so that none is taken for the key of a log.
"""

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.signed_note import (
    Note,
    NoteRefused,
    check_name,
    key_id,
    read_key,
    verify_ed25519,
    write_key,
)

COSIGNATURE: Final = b"\x04"
"""The type byte of a key that co-signs."""
LATEST: Final = 2**63 - 1
"""The last second that a cosignature may name."""
MOST_AHEAD: Final = 300
"""Seconds by which a cosignature may be ahead of the clock of whoever reads it: by more clocks do not differ."""
_TIME_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class WitnessKey:
    """The public half of a witness's key, under the witness's name."""

    name: str
    public: bytes
    """32 bytes (RFC 8032)."""

    @property
    def id(self) -> bytes:
        """The key id: 4 bytes which, with the name, tell which witness co-signed."""
        return key_id(self.name, COSIGNATURE, self.public)

    def __str__(self) -> str:
        """The key as it is published."""
        return write_key(self.name, COSIGNATURE, self.public)

    @classmethod
    def parse(cls, text: str) -> "WitnessKey":
        """Read a published key.

        Raises:
            NoteRefused: it is none, or no key of a witness.
        """
        return cls(*read_key(text, COSIGNATURE, "Ed25519 key of a witness (type 4)"))


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A cosignature that holds."""

    key: WitnessKey
    at: int
    """When the witness made it: seconds since the epoch, by its clock."""


def witness_key(name: str, private: Ed25519PrivateKey) -> WitnessKey:
    """The public half of a witness's key.

    Raises:
        NoteRefused: a key cannot have this name.
    """
    check_name(name)
    return WitnessKey(name, private.public_key().public_bytes_raw())


def cosign(text: str, name: str, private: Ed25519PrivateKey, at: int) -> str:
    """The signature line, with its line feed, by which a witness co-signs the text of a checkpoint.

    Raises:
        NoteRefused: a key cannot have this name, or a cosignature not this time.
    """
    key = witness_key(name, private)
    signature = private.sign(_signed(text, _checked(at)))
    value = base64.b64encode(key.id + at.to_bytes(_TIME_BYTES, "big") + signature).decode()
    return f"— {name} {value}\n"


def cosignatures(note: Note, keys: Iterable[WitnessKey]) -> tuple[Cosignature, ...]:
    """The cosignatures of these witnesses that a checkpoint carries. Those of others count for nothing.

    Raises:
        NoteRefused: one that names one of the keys is not of that key, or not of that time.
    """
    found = []
    for key in keys:
        for each in note.signatures:
            if (each.name, each.key_id) != (key.name, key.id):
                continue
            at = _checked(int.from_bytes(each.value[:_TIME_BYTES], "big"))
            named = f"{key.name}+{key.id.hex()}"
            verify_ed25519(named, key.public, each.value[_TIME_BYTES:], _signed(note.text, at))
            found.append(Cosignature(key, at))
    return tuple(found)


def check_past(found: Iterable[Cosignature], now: float) -> None:
    """Refuse cosignatures that name a time which is yet to come; `now` is in seconds since the epoch.

    Raises:
        NoteRefused: one is more than `MOST_AHEAD` ahead of that.
    """
    for each in found:
        ahead = each.at - int(now)
        if ahead > MOST_AHEAD:
            raise NoteRefused(
                f"the witness {each.key.name} says that it co-signed at {each.at} seconds since the epoch, {ahead}"
                f" seconds after now: clocks may differ by {MOST_AHEAD}, so one of the two is wrong"
            )


def _checked(at: int) -> int:
    if not 0 < at <= LATEST:
        raise NoteRefused(f"no cosignature is made at {at} seconds since the epoch")
    return at


def _signed(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()
