"""Keys of integrators and operators: opaque, prefixed, shown once, stored hashed."""

import hashlib
import secrets

import msgspec

from events.redis_store import RedisEventStore

KEY_PREFIX = "fbk_"
"""Keys begin like this, so that a leaked one is recognised."""
SCOPES = ("games", "arbitrate")
"""What a key may allow: to create games; to see everything of a running game."""
_KEYS = "{keys}:keys"


class Key(msgspec.Struct, frozen=True):
    """What is stored about a key."""

    name: str
    scopes: tuple[str, ...]
    created: int
    """Milliseconds since the epoch."""


class Keys:
    """The keys of an installation."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep the keys beside the log."""
        self._connection = store.connection

    def create(self, name: str, scopes: tuple[str, ...], at: int) -> str:
        """Make a key; returns the token, which cannot be shown again.

        Raises:
            StoreUnavailable
        """
        token = KEY_PREFIX + secrets.token_hex(20)
        self._connection.command("HSET", _KEYS, _hashed(token), msgspec.json.encode(Key(name, scopes, at)))
        return token

    def find(self, token: str) -> Key | None:
        """What a token may do, or None when it is no key here.

        Raises:
            StoreUnavailable
        """
        stored = self._connection.command("HGET", _KEYS, _hashed(token))
        return msgspec.json.decode(stored, type=Key) if stored is not None else None


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
