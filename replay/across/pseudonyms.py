"""Pseudonyms in place of names: the same name always gets the same one, and only who has the key can tell whose.

They keep judgement free of who somebody is. They do not make anybody anonymous: the games' ids stay, and whoever may
read those games reads the names there.
"""

import hashlib
import hmac
import re
import secrets
from pathlib import Path
from typing import Final

from replay.platform.atomic_write import write_durably

_LENGTH: Final = 12
_KEY_BYTES: Final = 32
_KEY: Final = re.compile(f"[0-9a-f]{{{2 * _KEY_BYTES}}}")


def pseudonym(key: bytes, name: str) -> str:
    """What stands in place of a name; empty where the name is.

    >>> pseudonym(b"key", "Ann")
    'player-284924700665'
    """
    if not name:
        return ""
    return (
        f"player-{hmac.new(key, name.encode('utf-8', 'surrogatepass'), hashlib.sha256).hexdigest()[:_LENGTH]}"
    )


def open_pseudonym_key(path: Path) -> bytes:
    """The key in this file; made anew, readable for its owner alone, where the file is not there yet.

    Raises:
        OSError: it cannot be read.
        ValueError: it cannot be written, or the file holds no such key.
    """
    if not path.exists():
        try:
            write_durably(path, f"{secrets.token_hex(_KEY_BYTES)}\n".encode(), 0o600)
        except OSError as error:
            raise ValueError(f"The key {path} cannot be written: {error.strerror}.") from error
    written = path.read_text(encoding="ascii", errors="replace").strip()
    if not _KEY.fullmatch(written):
        raise ValueError(f"{path} does not hold a key for pseudonyms: {2 * _KEY_BYTES} hex digits.")
    return bytes.fromhex(written)
