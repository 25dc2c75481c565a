"""Seat tokens: opaque, prefixed, shown once, stored hashed.

A token is derived from the installation's key, the game, the seat and the id of the request that took the seat,
so the same request sent again is answered with the same token though only its hash is stored.
"""

import hashlib
import hmac

SEAT_PREFIX = "fbs_"
"""Seat tokens begin like this, so that a leaked one is recognised."""
_FIELD_PREFIX = "token:"


def seat_token(token_key: str, game: str, seat: int, request: str) -> str:
    """The token that a request gets for a seat."""
    digest = hmac.digest(bytes.fromhex(token_key), f"{game}/{seat}/{request}".encode(), "sha256")
    return SEAT_PREFIX + digest.hex()[:40]


def token_field(token: str) -> str:
    """The private field of a game under which a token's seat is stored: the token's hash."""
    return _FIELD_PREFIX + hashlib.sha256(token.encode()).hexdigest()


def seat_of(private: dict[str, str], token: str) -> int | None:
    """The seat that a token opens in a game, or None."""
    seat = private.get(token_field(token))
    return int(seat) if seat is not None else None


def is_token_field(name: str) -> bool:
    """Whether a private field holds the seat of a token."""
    return name.startswith(_FIELD_PREFIX)
