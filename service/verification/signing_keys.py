"""The keys that the service signs with: made at the first start, kept in the data folder, replaced without a gap.

The file `signing-keys.json` (mode 0600) holds the name of the service, the private key in use, and the public keys of
all times. Each new key is endorsed by the one before it, so whoever trusts one key can follow to the next. A key that
was replaced cannot sign any more: its private half is gone.
"""

import base64
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.key_rotation import rotation_text
from events.transparency.signed_note import NoteRefused, VerifierKey, named_key, sign
from service.platform.clock import now_milliseconds
from service.platform.targets import write_private
from service.storage.settings import StoreSettings

FILE: Final = "signing-keys.json"
_OTHERS = 0o077


class SigningKeysUnusable(Exception):
    """The file of the keys cannot be used; the message says which, why, and what to do."""


class PublishedKey(msgspec.Struct, frozen=True):
    """A key of the service as everybody may know it."""

    key: str
    """The public key in its published form, `<name>+<id>+<base 64>`."""
    since: int
    """When it came into use: milliseconds since the epoch."""
    until: int | None = None
    """When it was replaced; None for the one in use."""
    endorsement: str = ""
    """A note about this key, signed by the one before it; empty for the first."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    private: str
    """The key in use: 32 bytes in base 64."""
    keys: tuple[PublishedKey, ...]


class SigningKeys:
    """The keys of an installation."""

    def __init__(self, folder: Path, name: str | None = None) -> None:
        """Use the keys in a data folder. `name` is given to the first key; without one a name is made up.

        Raises:
            SigningKeysUnusable: the file is there and cannot be used, or has another name.
        """
        self._path = folder / FILE
        if not self._path.exists():
            self._make(name or f"fieldbook.invalid/{secrets.token_hex(4)}")
        found = self._read()
        if name is not None and found.name != name:
            raise SigningKeysUnusable(
                f"FIELDBOOK_NAME is {name!r}, but {self._path} signs as {found.name!r}. A log keeps its name for "
                "ever: take the setting back, or use another data folder."
            )
        self.name: Final = found.name

    @property
    def published(self) -> tuple[PublishedKey, ...]:
        """All keys there ever were, the one in use last."""
        return self._read().keys

    @property
    def current(self) -> VerifierKey:
        """The key in use."""
        return VerifierKey.parse(self._read().keys[-1].key)

    def sign(self, text: str) -> str:
        """The signed note of this text, which ends with a line feed."""
        return sign(text, self.name, _private(self._read()))

    def rotate(self) -> PublishedKey:
        """Replace the key in use; returns the new one.

        The old key's last signature is on the new one. Running processes use the new key at once.
        """
        old, at = self._read(), now_milliseconds()
        private = Ed25519PrivateKey.generate()
        key = named_key(self.name, private.public_key().public_bytes_raw())
        endorsement = sign(rotation_text(key), self.name, _private(old))
        retired = msgspec.structs.replace(old.keys[-1], until=at)
        new = PublishedKey(str(key), at, endorsement=endorsement)
        partial = self._write(_File(self.name, _encode(private), (*old.keys[:-1], retired, new)))
        partial.replace(self._path)
        return new

    def _make(self, name: str) -> None:
        private = Ed25519PrivateKey.generate()
        try:
            key = str(named_key(name, private.public_key().public_bytes_raw()))
        except NoteRefused as refused:
            raise SigningKeysUnusable(f"FIELDBOOK_NAME: {refused}.") from refused
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._write(_File(name, _encode(private), (PublishedKey(key, now_milliseconds()),)))
        with suppress(FileExistsError):  # another process was first, and its key is the one
            self._path.hardlink_to(partial)
        partial.unlink()

    def _write(self, content: _File) -> Path:
        partial = self._path.with_name(f"{FILE}.{secrets.token_hex(4)}")
        write_private(partial, msgspec.json.format(msgspec.json.encode(content)) + b"\n")
        return partial

    def _read(self) -> _File:
        try:
            if self._path.stat().st_mode & _OTHERS:
                raise SigningKeysUnusable(
                    f"{self._path} can be read by others than its owner. Take that away (chmod 600), and replace the "
                    "key if somebody may have seen it: fieldbook signing-key rotate."
                )
            found = msgspec.json.decode(self._path.read_bytes(), type=_File)
            private = _private(found)
        except (OSError, msgspec.DecodeError, ValueError) as error:
            raise SigningKeysUnusable(
                f"{self._path} cannot be used: {error}. Restore it from a backup."
            ) from error
        if not found.keys or str(_public(found.name, private)) != found.keys[-1].key:
            raise SigningKeysUnusable(
                f"{self._path}: the private key is not that of the key in use. Restore the file."
            )
        return found


def open_signing_keys(settings: StoreSettings) -> SigningKeys:
    """The keys of the configured installation.

    Raises:
        SigningKeysUnusable
    """
    return SigningKeys(settings.data_folder, settings.name)


def _private(file: _File) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(file.private, validate=True))


def _public(name: str, private: Ed25519PrivateKey) -> VerifierKey:
    return named_key(name, private.public_key().public_bytes_raw())


def _encode(private: Ed25519PrivateKey) -> str:
    return base64.b64encode(private.private_bytes_raw()).decode()
