"""The hash chain over a game's public forms: arithmetic only, the same for every viewer."""

import hashlib
from typing import Any

from events.chain.canonical import canonical

GENESIS = "0" * 64
"""What the first entry of a game is linked to."""


def link(previous: str, public_form: dict[str, Any]) -> str:
    """The chain hash after an entry: SHA-256 over the previous hash (32 bytes) and the canonical public form.

    >>> link(GENESIS, {"version": 1})[:16]
    '1d01a1de6135819c'
    """
    return link_bytes(previous, canonical(public_form))


def link_bytes(previous: str, public_form: bytes) -> str:
    """As `link`, for a public form that is in canonical JSON already."""
    return hashlib.sha256(bytes.fromhex(previous) + public_form).hexdigest()
