"""Signed notes: text that anybody can read, with signatures that anybody can check.

Format: C2SP signed-note (https://c2sp.org/signed-note), with Ed25519 keys (type byte 0x01, RFC 8032). The text ends
with a line feed; a blank line and one line for each signature follow. A key is published as
`<name>+<key id>+<base64 of the type byte and the 32 bytes of the public key>`.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LONGEST_NOTE = 100_000
"""Characters in a note at most: it may come from anybody."""
MOST_SIGNATURES = 32
_ED25519 = b"\x01"
_KEY_BYTES = 32
_SIGNATURE_BYTES = 64
_ID_BYTES = 4
_NAME = re.compile(r"[^\s+\x00-\x1f]+")
_SIGNATURE_LINE = re.compile(r"— (\S+) (\S+)")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteRefused(Exception):
    """A note or a key cannot be read, or is not signed as it must be; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """The public half of a key, under its name."""

    name: str
    public: bytes
    """32 bytes (RFC 8032)."""

    @property
    def id(self) -> bytes:
        """The key id: 4 bytes which, with the name, tell which key signed."""
        return key_id(self.name, _ED25519, self.public)

    def __str__(self) -> str:
        """The key as it is published."""
        return write_key(self.name, _ED25519, self.public)

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read a published key.

        Raises:
            NoteRefused: it is none, or no Ed25519 key.
        """
        return cls(*read_key(text, _ED25519, "Ed25519 key"))


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line of a note."""

    name: str
    key_id: bytes
    value: bytes

    def line(self) -> str:
        """The line, as it stood in the note."""
        return f"— {self.name} {base64.b64encode(self.key_id + self.value).decode()}\n"


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it was read; nothing of it is checked yet."""

    text: str
    """What was signed, with its last line feed."""
    signatures: tuple[Signature, ...]

    def signed_by(self, keys: Iterable[VerifierKey]) -> tuple[VerifierKey, ...]:
        """Those of the keys whose signature the note carries. Signatures of other keys count for nothing.

        Raises:
            NoteRefused: a signature that names one of the keys is not of that key.
        """
        found = []
        for key in keys:
            for each in self.signatures:
                if (each.name, each.key_id) == (key.name, key.id):
                    _verify(key, each, self.text)
                    found.append(key)
                    break
        return tuple(found)

    def require(self, keys: Iterable[VerifierKey]) -> VerifierKey:
        """The first of the keys that signed the note.

        Raises:
            NoteRefused: none of them did, or a signature is false.
        """
        signers = self.signed_by(keys)
        if not signers:
            names = ", ".join(f"{each.name}+{each.key_id.hex()}" for each in self.signatures)
            raise NoteRefused(f"signed by {names[:200]}, which is none of the keys given")
        return signers[0]


def parse_note(note: str) -> Note:
    """Read a signed note.

    Raises:
        NoteRefused: it has another form.
    """
    if len(note) > LONGEST_NOTE:
        raise NoteRefused(f"a note has at most {LONGEST_NOTE} characters")
    if _CONTROL.search(note):
        raise NoteRefused("a note has no control characters but line feeds")
    text, separator, lines = note.rpartition("\n\n")
    if not separator or not text or not lines.endswith("\n"):
        raise NoteRefused("a note has text, a blank line and signature lines, each ended by a line feed")
    signatures = tuple(_signature(line) for line in lines[:-1].split("\n"))
    if len(signatures) > MOST_SIGNATURES:
        raise NoteRefused(f"a note has at most {MOST_SIGNATURES} signatures")
    return Note(text + "\n", signatures)


def sign(text: str, name: str, private: Ed25519PrivateKey) -> str:
    """The note of this text, which ends with a line feed, signed by the key of this name.

    Raises:
        NoteRefused: the text or the name cannot stand in a note.
    """
    if not text.endswith("\n") or _CONTROL.search(text) or "\n\n" in text or not text.strip():
        raise NoteRefused("a note's text consists of lines that are not empty, each ended by a line feed")
    key = named_key(name, private.public_key().public_bytes_raw())
    signature = base64.b64encode(key.id + private.sign(text.encode())).decode()
    return f"{text}\n— {name} {signature}\n"


def named_key(name: str, public: bytes) -> VerifierKey:
    """The key of this name.

    Raises:
        NoteRefused: a key cannot have this name.
    """
    check_name(name)
    return VerifierKey(name, public)


def key_id(name: str, kind: bytes, public: bytes) -> bytes:
    """The id of an Ed25519 key under its name; `kind` is the type byte of the signatures that it makes."""
    return hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:_ID_BYTES]


def write_key(name: str, kind: bytes, public: bytes) -> str:
    """A key as it is published."""
    return f"{name}+{key_id(name, kind, public).hex()}+{base64.b64encode(kind + public).decode()}"


def read_key(text: str, kind: bytes, called: str) -> tuple[str, bytes]:
    """The name and the 32 bytes of a published key for signatures of this kind; `called` says what it must be.

    Raises:
        NoteRefused: it is none, or one for others.
    """
    name, _, rest = text.partition("+")
    named_id, _, encoded = rest.partition("+")
    value = decode_base64(encoded)
    if value[:1] != kind or len(value) != 1 + _KEY_BYTES:
        raise NoteRefused(f"{text[:60]!r} is no {called} in the form <name>+<id>+<key>")
    check_name(name)
    found = key_id(name, kind, value[1:]).hex()
    if found != named_id:
        raise NoteRefused(f"the key {text[:60]!r} has the id {found}, not {named_id[:20]!r}")
    return name, value[1:]


def check_name(name: str) -> None:
    """Check that a key can have this name.

    Raises:
        NoteRefused: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise NoteRefused(f"{name[:60]!r} is no name of a key: it has no spaces and no plus")


def verify_ed25519(named: str, public: bytes, signature: bytes, message: bytes) -> None:
    """Check a signature; `named` is the key in sentences.

    Raises:
        NoteRefused: it is false, or the key is none.
    """
    if len(signature) != _SIGNATURE_BYTES:
        raise NoteRefused(f"the signature of {named} is not one of {_SIGNATURE_BYTES} bytes")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        raise NoteRefused(f"the signature is not that of {named} on this text") from None
    except ValueError as error:
        raise NoteRefused(f"{named} is no Ed25519 key") from error


def decode_base64(text: str) -> bytes:
    """The bytes of standard base 64 (RFC 4648, section 4), written in the one way there is.

    Raises:
        NoteRefused: it is not.
    """
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteRefused(f"{text[:60]!r} is not base 64") from error
    if base64.b64encode(value).decode() != text:
        raise NoteRefused(f"{text[:60]!r} is not base 64 in its one written form")
    return value


def _signature(line: str) -> Signature:
    found = _SIGNATURE_LINE.fullmatch(line)
    if found is None or not _NAME.fullmatch(found[1]):
        raise NoteRefused(f"{line[:60]!r} is no signature line")
    value = decode_base64(found[2])
    if len(value) <= _ID_BYTES:
        raise NoteRefused(f"{line[:60]!r} holds no signature")
    return Signature(found[1], value[:_ID_BYTES], value[_ID_BYTES:])


def _verify(key: VerifierKey, signature: Signature, text: str) -> None:
    verify_ed25519(f"{key.name}+{key.id.hex()}", key.public, signature.value, text.encode())
