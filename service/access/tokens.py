"""Tokens of one game, for its seats and its spectators: opaque, prefixed, shown once, stored hashed.

A token is derived from the installation's key, the game, whom it is for and the id of the request that asked for it,
so the same request sent again is answered with the same token though only its hash is stored. The hashes stand among
the game's private fields.
"""

import hashlib
import hmac
from typing import Final

SEAT_PREFIX: Final = "fbs_"
"""Seat tokens begin like this, so that a leaked one is recognised."""
SPECTATOR_PREFIX: Final = "fbw_"
"""Spectators' tokens begin like this."""
SPECTATOR_FIELD: Final = "spectator:"
"""Private fields that begin like this hold a spectator, under the hash of its token."""
REPLACED: Final = ""
"""What is kept under a seat's token that was replaced by another."""
SEAT_FIELD: Final = "token:"
"""Private fields that begin like this hold the seat of a token, under its hash."""
_ID_DIGITS: Final = 16


def seat_token(token_key: str, game: str, seat: int, request: str) -> str:
    """The token that a request gets for a seat."""
    return SEAT_PREFIX + _derive(token_key, f"{game}/{seat}/{request}")


def spectator_token(token_key: str, game: str, giver: str, request: str) -> str:
    """The token that a request of this giver (a seat or a key) gets for a spectator."""
    return SPECTATOR_PREFIX + _derive(token_key, f"{game}/spectator/{giver}/{request}")


def token_digest(token: str) -> str:
    """The hash of a token, by which alone it is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_field(token: str, digest: str | None = None) -> str:
    """The private field of a game under which a seat's or a spectator's token is kept: its hash, if it is known."""
    prefix = SPECTATOR_FIELD if token.startswith(SPECTATOR_PREFIX) else SEAT_FIELD
    return prefix + (digest or token_digest(token))


def is_token_field(name: str) -> bool:
    """Whether a private field holds the seat of a token."""
    return name.startswith(SEAT_FIELD)


def spectator_id(field: str) -> str:
    """What a spectator is called in public: the first digits of its token's hash."""
    return f"spectator_{field.removeprefix(SPECTATOR_FIELD)[:_ID_DIGITS]}"


def _derive(token_key: str, text: str) -> str:
    return hmac.digest(bytes.fromhex(token_key), text.encode(), "sha256").hex()[:40]
