"""Salted commitments: how a hidden value is fixed in the log without being shown.

salt       = first 16 bytes of HMAC-SHA256(salt key, "<version>/<path>")
salt key   = HMAC-SHA256(the game's secret, "salt")
commitment = SHA-256(salt, canonical JSON of the value), in hex

The path says where the value stands in the entry: `data/cards/0`, `command/hand`, `state`.
"""

import hashlib
import hmac
from typing import Any

from events.canonical import canonical


def salt_key(secret: str) -> bytes:
    """The key of all salts of a game, from its secret (64 hex digits)."""
    return hmac.digest(bytes.fromhex(secret), b"salt", "sha256")


def salt(key: bytes, version: int, path: str) -> str:
    """The salt of one value of one entry: 32 hex digits."""
    return hmac.digest(key, f"{version}/{path}".encode(), "sha256")[:16].hex()


def commit(salted_with: str, value: Any) -> str:
    """The commitment to a JSON value or struct: 64 hex digits."""
    return hashlib.sha256(bytes.fromhex(salted_with) + canonical(value)).hexdigest()
