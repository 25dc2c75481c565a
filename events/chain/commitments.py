"""Salted commitments: how a hidden value is fixed in the log without being shown.

salt       = first 16 bytes of HMAC-SHA256(salt key, "<version>/<path>")
salt key   = HMAC-SHA256(the game's secret, "salt")
commitment = SHA-256(salt, canonical JSON of the value), in hex

The path says where the value stands in the entry: `data/cards/0`, `command/hand`, `state`.
"""

import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from events.chain.canonical import canonical


def salt_key(secret: str) -> bytes:
    """The key of all salts of a game, from its secret (64 hex digits)."""
    return hmac.digest(bytes.fromhex(secret), b"salt", "sha256")


def salt(key: bytes, version: int, path: str) -> str:
    """The salt of one value of one entry: 32 hex digits."""
    begun, ending = _key_hashes(key)
    inner, outer = begun(), ending()
    inner.update(f"{version}/{path}".encode())
    outer.update(inner.digest())
    return outer.hexdigest()[:32]


@lru_cache(4096)
def _key_hashes(key: bytes) -> tuple[Callable[[], "hashlib._Hash"], Callable[[], "hashlib._Hash"]]:
    """What begins the inner and the outer hash of HMAC (RFC 2104) under a key of up to 64 bytes.

    A game has one key and thousands of salts: copying a hash that has read the key takes half as long as reading it.
    """
    block = key.ljust(64, b"\0")
    inner, outer = (hashlib.sha256(bytes(byte ^ pad for byte in block)) for pad in (0x36, 0x5C))
    return inner.copy, outer.copy


def commit(salted_with: str, value: Any) -> str:
    """The commitment to a JSON value or struct: 64 hex digits."""
    return commit_bytes(salted_with, canonical(value))


def commit_bytes(salted_with: str, value: bytes) -> str:
    """As `commit`, for a value that is in canonical JSON already."""
    return hashlib.sha256(bytes.fromhex(salted_with) + value).hexdigest()
