"""A value as it is after it was written as JSON and read again."""

from typing import Any

import msgspec


def plain(value: object) -> Any:
    """The same in dicts, lists, texts and numbers."""
    return msgspec.json.decode(msgspec.json.encode(value))
