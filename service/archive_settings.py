"""Where finished games are archived, and when.

FIELDBOOK_ARCHIVE            address of the archive, such as file:///srv/archive or s3://bucket/prefix
FIELDBOOK_ARCHIVE_OPTIONS    options of its file system, as a JSON object
FIELDBOOK_ARCHIVE_AFTER      how long after its end a game is archived: 30d (default), 12h, 90m, 60s
"""

import os
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from events.store_errors import StoreMisconfigured
from service.targets import BadTarget, Target, open_target

DEFAULT_AFTER: Final = "30d"
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_AGE = re.compile(r"([0-9]{1,9})([smhd]?)")


class ArchiveSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is configured about the archive."""

    target: Target | None
    """The archive, or None where there is none."""
    after_seconds: int
    """How long after its last event a game is archived."""


def age_in_seconds(text: str) -> int:
    """The seconds that `30d`, `12h`, `90m`, `60s` or `60` stand for.

    Raises:
        ValueError: it stands for none.

    >>> age_in_seconds("2h")
    7200
    """
    found = _AGE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no age: a number with s, m, h or d after it, such as 30d")
    return int(found[1]) * _SECONDS[found[2]]


def archive_settings(environment: Mapping[str, str] | None = None) -> ArchiveSettings:
    """The settings in environment variables; empty ones count as absent.

    Raises:
        StoreMisconfigured: a value cannot be understood; the sentence names the variable.
    """
    found = os.environ if environment is None else environment
    given = {name: value for name, value in found.items() if value}
    target = archive_target(given.get("FIELDBOOK_ARCHIVE"), given.get("FIELDBOOK_ARCHIVE_OPTIONS", ""))
    try:
        after = age_in_seconds(given.get("FIELDBOOK_ARCHIVE_AFTER", DEFAULT_AFTER))
    except ValueError as error:
        raise StoreMisconfigured(f"FIELDBOOK_ARCHIVE_AFTER: {error}") from error
    return ArchiveSettings(target=target, after_seconds=after)


def archive_target(address: str | None, options: str) -> Target | None:
    """The archive at this address, its file system's options as a JSON object; None without an address.

    Raises:
        StoreMisconfigured: address or options cannot be understood.
    """
    if address is None:
        return None
    try:
        return open_target(address, options)
    except BadTarget as error:
        raise StoreMisconfigured(f"FIELDBOOK_ARCHIVE: {error}") from error
