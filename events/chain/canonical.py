"""Canonical JSON (RFC 8785) for values made of objects, arrays, strings, integers, booleans and null.

Every hash in Fieldbook runs over these bytes, so anybody can recompute it in any language. Numbers are integers
of at most 53 bits and names of members are ASCII: what RFC 8785 says about others never applies. What a class stands
for is written under its name in snake case.
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


def snake_case(class_name: str) -> str:
    """How the name of a class is written: the type of a command or an event, the code of a refusal.

    >>> snake_case("EndTrading")
    'end_trading'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")
