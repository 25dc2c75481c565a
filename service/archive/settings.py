"""Where finished games are archived, and when."""

from collections.abc import Mapping

import msgspec

from events.store.errors import StoreMisconfigured
from service.platform.configuration import ARCHIVE_AFTER, setting
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
    address = setting("FIELDBOOK_ARCHIVE", environment) or None
    target = archive_target(address, setting("FIELDBOOK_ARCHIVE_OPTIONS", environment))
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
