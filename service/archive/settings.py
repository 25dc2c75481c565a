"""Where finished games are archived, and when.

FIELDBOOK_ARCHIVE            address of the archive, such as file:///srv/archive or s3://bucket/prefix
FIELDBOOK_ARCHIVE_OPTIONS    options of its file system, as a JSON object
FIELDBOOK_ARCHIVE_AFTER      how long after its end a game is archived: 30d (default), 12h, 90m, 60s
"""

import os
from collections.abc import Mapping

import msgspec

from events.store.errors import StoreMisconfigured
from service.platform.configuration import ARCHIVE_AFTER
from service.platform.targets import BadTarget, Target, open_target


class ArchiveSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is configured about the archive."""

    target: Target | None
    """The archive, or None where there is none."""
    after_seconds: int
    """How long after its last event a game is archived."""


def archive_settings(environment: Mapping[str, str] | None = None) -> ArchiveSettings:
    """The settings in environment variables; empty ones count as absent.

    Raises:
        StoreMisconfigured, BadSetting: a value cannot be understood; the sentence names the variable.
    """
    found = os.environ if environment is None else environment
    given = {name: value for name, value in found.items() if value}
    target = archive_target(given.get("FIELDBOOK_ARCHIVE"), given.get("FIELDBOOK_ARCHIVE_OPTIONS", ""))
    return ArchiveSettings(target=target, after_seconds=ARCHIVE_AFTER.value(environment))


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
