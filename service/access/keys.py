"""Keys of operators and integrators: opaque, prefixed, shown once, stored hashed, revocable.

A key is read from the store at every request, so what is revoked is refused at once, in all processes.
"""

import hmac
import re
import secrets
import zlib
from typing import Any, Final

import msgspec

from events.store.event_store import EventStore
from service.access.store import KeyRecords
from service.access.tokens import token_digest

KEY_PREFIX: Final = "fbk_"
"""Keys begin like this, so that a leaked one is recognised."""
KEY_TOKEN: Final = re.compile(r"fbk_[0-9a-f]{40}([0-9a-f]{8})?")
"""A key's token: 160 bits, and a CRC-32 of all before it; keys of the first releases have no checksum."""
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
_OF_OLD: Final = {"games": "create_games"}
"""Scopes that were split or renamed, as stored keys may have them."""
_ID_DIGITS: Final = 20


class Key(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is stored about a key."""

    name: str
    """What its operator calls it."""
    scopes: tuple[str, ...]
    created: int
    """Milliseconds since the epoch, as every time here."""
    id: str = ""
    """Names the key in public: the first digits of its token's hash."""
    kind: str = INTEGRATOR
    created_by: str = ""
    """The id of the operator's key that made it, or `command line`; empty where nobody wrote it down."""
    expires: int | None = None
    revoked: int | None = None
    hash: str = ""
    """SHA-256 of the token, in hex."""
    holder: str = ""
    """What ids of games are derived from: the id, or of a key of the first releases its name and age."""
    fingerprint: str = ""
    """Of the request that made it."""

    def may(self, scope: str) -> bool:
        """Whether the key allows this."""
        return self.is_operator or scope in self.scopes

    @property
    def is_operator(self) -> bool:
        """Whether it is an operator's."""
        return self.kind == OPERATOR

    def described(self, last_used: int | None) -> dict[str, Any]:
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


class KeyIdReused(Exception):
    """The request that made a key was sent again with other content."""


class Keys:
    """The keys of an installation. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep the keys beside the log."""
        self._records = KeyRecords(store)
        self._token_key = bytes.fromhex(store.installation.token_key)

    def create(self, name: str, scopes: tuple[str, ...], at: int, kind: str = INTEGRATOR) -> str:
        """Make a key; returns the token, which cannot be shown again."""
        wanted = NewKey(name=name, kind=kind, scopes=scopes)
        return self.issue(wanted, at=at, by="", request=secrets.token_hex(16))[0]

    def issue(
        self, wanted: NewKey, *, at: int, by: str, request: str, fingerprint: str = ""
    ) -> tuple[str, Key, bool]:
        """Make a key; returns its token, the key, and whether the same request had made it before.

        The token is derived from who asks and from the request's id, so that the same request gets the same token
        though only its hash is stored.

        Raises:
            KeyIdReused: the request had another fingerprint then.
        """
        token = self.token_for(by, request)
        digest = token_digest(token)
        key = Key(
            name=wanted.name,
            kind=wanted.kind,
            scopes=wanted.scopes,
            expires=wanted.expires,
            id=_id(digest),
            hash=digest,
            holder=_id(digest),
            created=at,
            created_by=by,
            fingerprint=fingerprint,
        )
        if self._records.add(key.id, msgspec.json.encode(key)):
            return token, key, False
        known = self.get(key.id)
        if known is None or known.fingerprint != fingerprint:
            raise KeyIdReused(key.id)
        return token, known, True

    def token_for(self, by: str, request: str) -> str:
        """The token that this request of this operator gets."""
        body = KEY_PREFIX + hmac.digest(self._token_key, f"key/{by}/{request}".encode(), "sha256").hex()[:40]
        return body + _checksum(body)

    def id_for(self, by: str, request: str) -> str:
        """The id of the key that this request of this operator makes."""
        return _id(token_digest(self.token_for(by, request)))

    def find(self, token: str) -> Key | None:
        """The key that a token is, revoked and expired ones too, or None when it is no key here."""
        found = KEY_TOKEN.fullmatch(token)
        if found is None or (found[1] is not None and _checksum(token[:-8]) != found[1]):
            return None
        digest = token_digest(token)
        new, old = self._records.find(_id(digest), digest)
        key = _read(new, digest) if new is not None else None if old is None else _read(old, digest)
        return key if key is not None and hmac.compare_digest(key.hash, digest) else None

    def get(self, key_id: str) -> Key | None:
        """The key with this id, or None."""
        (stored,) = self._records.find(key_id)
        if stored is not None:
            return _read(stored, "")
        # Keys of the first releases, which are few, stand under their hashes.
        return next((each for each in self.all() if each.id == key_id), None)

    def all(self) -> list[Key]:
        """All keys that there ever were, the newest first."""
        keys = [_read(stored, field) for field, stored in self._records.all().items()]
        return sorted(keys, key=lambda each: (each.created, each.id), reverse=True)

    def revoke(self, key: Key, at: int) -> Key:
        """Make a key useless from now on; one that is revoked already keeps its time."""
        if key.revoked is not None:
            return key
        revoked = msgspec.structs.replace(key, revoked=at)
        field = key.id if key.holder == key.id else key.hash
        self._records.replace(field, msgspec.json.encode(revoked))
        return revoked

    def note_use(self, key_id: str, at: int) -> None:
        """Write down when a key was used."""
        self._records.note_use(key_id, at)

    def last_used(self, key_ids: list[str]) -> list[int | None]:
        """When these keys were last used; None for one that never was."""
        return self._records.last_used(key_ids)


def _id(digest: str) -> str:
    return f"key_{digest[:_ID_DIGITS]}"


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


def _read(stored: bytes, field: str) -> Key:
    key = msgspec.json.decode(stored, type=Key)
    scopes = tuple(_OF_OLD.get(each, each) for each in key.scopes)
    if key.id:
        return msgspec.structs.replace(key, scopes=scopes)
    holder = f"{key.name}/{key.created}"
    return msgspec.structs.replace(key, scopes=scopes, id=_id(field), hash=field, holder=holder)
