"""Canonical JSON (RFC 8785) for values made of objects, arrays, strings, integers, booleans and null.

Every hash in Fieldbook runs over these bytes, so anybody can recompute it in any language. Numbers are integers
of at most 53 bits and names of members are ASCII: what RFC 8785 says about others never applies.
"""

import hashlib
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The canonical bytes of a JSON value or struct.

    >>> canonical({"b": [1, None, True], "a": "Cogné"}).decode()
    '{"a":"Cogné","b":[1,null,true]}'
    """
    return _encoder.encode(value)


def sha256_hex(data: bytes) -> str:
    """SHA-256 as 64 hex digits.

    >>> sha256_hex(b"")[:16]
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(data).hexdigest()
