"""Signed records, receipts and witnesses' keys as texts, from docs/record-format.md and C2SP signed-note alone."""

import base64
import hashlib
import json
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.record_files import Line, sealed

NAME: Final = "service.test/log"
SERVICE: Final = b"\x01"
WITNESS: Final = b"\x04"


class SigningKey:
    """A private key under a name; the same number gives the same key."""

    def __init__(self, number: int, name: str = NAME, kind: bytes = SERVICE) -> None:
        """Make the key; `kind` is its type byte."""
        self.name = name
        self._kind = kind
        self._private = Ed25519PrivateKey.from_private_bytes(number.to_bytes(32, "big"))

    @property
    def published(self) -> str:
        """The public key as `name+id+key`."""
        value = base64.b64encode(self._value).decode()
        return f"{self.name}+{self._id.hex()}+{value}"

    def note(self, text: str) -> str:
        """Return the signed note of this text."""
        signature = base64.b64encode(self._id + self._private.sign(text.encode())).decode()
        return f"{text}\n— {self.name} {signature}\n"

    @property
    def _value(self) -> bytes:
        return self._kind + self._private.public_key().public_bytes_raw()

    @property
    def _id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + self._value).digest()[:4]


def head_text(lines: list[Line], version: int | None = None) -> str:
    """Return the text that is signed for a record that was sealed, at its end or at an earlier version."""
    line = lines[-2 if version is None else version]
    types = {each["entry"]["type"] for each in lines[1:-1][:version]}
    status = "finished" if "secret_revealed" in types else "running" if "game_started" in types else "open"
    return (
        f"fieldbook game head v1\ngame {lines[0]['game']}\nversion {line['entry']['version']}\n"
        f"hash {line['hash']}\nstatus {status}\n"
    )


def signed(lines: list[Line], key: SigningKey) -> bytes:
    """Return the record as a file, sealed and signed by this key."""
    header, *rest = sealed(lines).splitlines(keepends=True)
    attached = {"key": key.published, "head": key.note(head_text(lines))}
    first = json.loads(header)
    names = ("record", "game", "scope", "catalogue", "secret")
    first = {name: first[name] for name in names if name in first} | {"attached": list(attached)}
    further = [{"attached": kind, "content": content} for kind, content in attached.items()]
    written = [
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        for line in (first, *further)
    ]
    return b"".join([written[0], *rest[:-1], *written[1:], rest[-1]])
