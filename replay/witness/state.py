"""What a witness keeps in its folder: its key, and of each log the last checkpoint that it has co-signed.

    witness.key                  the private key (mode 0600), made at the first start
    <SHA-256 of the origin>.log  the checkpoint with the log's signatures and the witness's own
    lock                         held by the one process that works with the folder

A file is written whole and lies on the disk before anything is said that depends on it. The folder must not be put
back to how it was earlier: a witness that has forgotten a checkpoint might co-sign another log in its place.
"""

import base64
import fcntl
import hashlib
import re
import secrets
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.cosignature import COSIGNATURE, WitnessKey, cosignatures, witness_key
from events.transparency.signed_note import LONGEST_NOTE, NoteRefused, decode_base64, parse_note
from replay.platform.atomic_write import write_durably
from replay.platform.safe_text import reason_of

KEY_FILE: Final = "witness.key"
_LOCK: Final = "lock"
_OTHERS: Final = 0o077
_PRIVATE: Final = re.compile(r"PRIVATE\+KEY\+(?P<name>[^\s+]+)\+(?P<id>[0-9a-f]{8})\+(?P<key>\S{44})\n?")


class StateUnusable(Exception):
    """The folder of a witness cannot be used; the message says why."""


class Cosigned(NamedTuple):
    """The last checkpoint of a log that was co-signed."""

    checkpoint: Checkpoint
    at: int
    """When, in seconds since the epoch."""
    note: str
    """With the signatures of the log and of the witness."""


def hash_of(origin: str) -> str:
    """The name under which the protocol speaks of a log."""
    return hashlib.sha256(origin.encode()).hexdigest()


class WitnessState:
    """The folder of a witness, held by this process alone.

    Attributes:
        private: the key that co-signs.
        key: its public half.
    """

    def __init__(self, folder: Path, name: str | None = None) -> None:
        """Use a folder, which is made where there is none; `name` is given to the key at the first start.

        Raises:
            StateUnusable: another process works with it, or what is in it cannot be used.
        """
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = (folder / _LOCK).open("a", encoding="utf-8")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            raise StateUnusable(f"another witness works with {folder}") from held
        except OSError as error:
            raise StateUnusable(f"{folder} cannot be used: {reason_of(error)}") from error
        self._known: dict[str, Cosigned | None] = {}
        self.private, self.key = self._open_key(name)

    def close(self) -> None:
        """Let others work with the folder."""
        self._lock.close()

    def last(self, origin: str) -> Cosigned | None:
        """The last checkpoint of this log that was co-signed; None where none was.

        Raises:
            StateUnusable: it cannot be read, so that nobody knows what it was.
        """
        if origin not in self._known:
            self._known[origin] = self._read(origin)
        return self._known[origin]

    def keep(self, cosigned: Cosigned) -> None:
        """Keep a checkpoint as the last one; returns once it is on the disk.

        Raises:
            StateUnusable: it cannot be written.
        """
        origin = cosigned.checkpoint.origin
        self._known.pop(origin, None)
        try:
            write_durably(self._path(origin), cosigned.note.encode())
        except OSError as error:
            raise StateUnusable(f"{self._path(origin)} cannot be written: {reason_of(error)}") from error
        self._known[origin] = cosigned

    def _path(self, origin: str) -> Path:
        return self._folder / f"{hash_of(origin)}.log"

    def _read(self, origin: str) -> Cosigned | None:
        path = self._path(origin)
        try:
            with path.open(encoding="utf-8", newline="") as file:
                text = file.read(LONGEST_NOTE + 1)
            note = parse_note(text)
            found = cosignatures(note, (self.key,))
            checkpoint = parse_checkpoint(note.text)
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, NoteRefused) as error:
            raise StateUnusable(f"{path} cannot be read: {reason_of(error)}") from error
        if not found or checkpoint.origin != origin:
            raise StateUnusable(f"{path} is not what this witness has co-signed of {origin}")
        return Cosigned(checkpoint, max(each.at for each in found), text)

    def _open_key(self, name: str | None) -> tuple[Ed25519PrivateKey, WitnessKey]:
        path = self._folder / KEY_FILE
        try:
            if not path.exists():
                _make_key(path, name or f"witness.invalid/{secrets.token_hex(4)}")
            if path.stat().st_mode & _OTHERS:
                raise StateUnusable(f"{path} can be read by others than its owner (chmod 600)")
            private, key = _read_key(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, NoteRefused) as error:
            raise StateUnusable(f"{path} cannot be used: {reason_of(error)}") from error
        if name is not None and name != key.name:
            raise StateUnusable(f"{path} is the key of {key.name}, not of {name}: a witness keeps its name")
        return private, key


def _make_key(path: Path, name: str) -> None:
    private = Ed25519PrivateKey.generate()
    key = witness_key(name, private)
    encoded = base64.b64encode(COSIGNATURE + private.private_bytes_raw()).decode()
    write_durably(path, f"PRIVATE+KEY+{name}+{key.id.hex()}+{encoded}\n".encode(), 0o600)


def _read_key(text: str) -> tuple[Ed25519PrivateKey, WitnessKey]:
    found = _PRIVATE.fullmatch(text)
    value = decode_base64(found["key"]) if found else b""
    if found is None or value[:1] != COSIGNATURE:
        raise NoteRefused("it is not the private key of a witness")
    private = Ed25519PrivateKey.from_private_bytes(value[1:])
    key = witness_key(found["name"], private)
    if key.id.hex() != found["id"]:
        raise NoteRefused(f"its id is {key.id.hex()}, not {found['id']}")
    return private, key
