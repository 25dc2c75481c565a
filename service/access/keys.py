"""Keys of operators and integrators: opaque, prefixed, shown once, stored hashed, revocable.

A key is read from the store at every request (`store.Keys.find`, asked by `service.http.context.bearers`), so what
is revoked is refused at once, in all processes.
"""

import re
import zlib
from typing import Any, Final

import msgspec

KEY_PREFIX: Final = "fbk_"
"""Keys begin like this, so that a leaked one is recognised."""
KEY_TOKEN: Final = re.compile(r"fbk_[0-9a-f]{40}([0-9a-f]{8})")
"""A key's token: 160 bits, and a CRC-32 of all before it."""
OPERATOR: Final = "operator"
"""May do everything, with keys too."""
INTEGRATOR: Final = "integrator"
"""May do what its scopes say."""
KINDS: Final = (OPERATOR, INTEGRATOR)
SCOPES: Final = ("create_games", "read_games", "arbitrate", "audit", "webhooks")
"""What an integrator's key may be allowed; docs/http-api.md says what each is for.

A resource that needs a scope of its own adds it here together with its first endpoint.
"""
LONGEST_NAME: Final = 60
"""Characters of a key's name at most."""
_ID_PREFIX: Final = "key_"
_ID_DIGITS: Final = 20
_NAMESPACE_DIGITS: Final = 12


class Key(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is stored about a key."""

    name: str
    """What its operator calls it."""
    scopes: tuple[str, ...]
    created: int
    """Milliseconds since the epoch, as every time here."""
    id: str
    """Names the key in public: the first digits of its token's hash."""
    kind: str = INTEGRATOR
    created_by: str = ""
    """The id of the operator's key that made it, or `command line`; empty where nobody wrote it down."""
    expires: int | None = None
    revoked: int | None = None
    hash: str
    """SHA-256 of the token, in hex."""
    fingerprint: str = ""
    """Of the request that made it."""
    players: str = ""
    """The namespace of the players that it names, where its operator gave it one; keys may share one."""

    def may(self, scope: str) -> bool:
        """Whether the key allows this."""
        return self.is_operator or scope in self.scopes

    @property
    def namespace(self) -> str:
        """What the ids of the players that it names begin with: without one of its operator's, its own."""
        return self.players or self.id.removeprefix(_ID_PREFIX)[:_NAMESPACE_DIGITS]

    @property
    def is_operator(self) -> bool:
        """Whether it is an operator's."""
        return self.kind == OPERATOR

    def describe(self, last_used: int | None) -> dict[str, Any]:
        """The key as JSON, without anything secret."""
        return {
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "scopes": list(SCOPES if self.is_operator else self.scopes),
            "created": self.created,
            "created_by": self.created_by,
            "expires": self.expires,
            "revoked": self.revoked,
            "last_used": last_used,
            "players": self.namespace,
        }

    def standing(self, now: int) -> str:
        """`valid`, `revoked` or `expired`."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and self.expires <= now else "valid"


class NewKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key that is asked for."""

    name: str
    kind: str = INTEGRATOR
    scopes: tuple[str, ...] = ()
    expires: int | None = None
    players: str = ""


class KeyIdReused(Exception):
    """The request that made a key was sent again with other content."""


def key_id(digest: str) -> str:
    """The id of the key whose token has this hash."""
    return f"{_ID_PREFIX}{digest[:_ID_DIGITS]}"


def checksum(text: str) -> str:
    """The CRC-32 with which a token ends."""
    return f"{zlib.crc32(text.encode()):08x}"
