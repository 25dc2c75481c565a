"""The check of all settings before a process starts anything: every fault is reported at once.

`fieldbook up`, `fieldbook configuration` and each single process make this check. It imports little, because the
store waits for it: what reads one of the rarer settings is imported where that is set.
"""

import os
import sys
from pathlib import Path
from typing import Final

from service.platform.configuration import (
    REDIS_URL,
    BadSetting,
    refused_settings,
    setting,
    unknown_variables,
    without_password,
)

WRONG_USE: Final = 2


def exit_on_faults(*further: str) -> None:
    """End the process with status 2 where a setting is refused, with all faults on standard error."""
    faults = [*setting_faults(), *further]
    if not faults:
        return
    if len(faults) == 1:
        sys.stderr.write(f"Not started. {faults[0]}\n")
    else:
        sys.stderr.write(f"Not started. {len(faults)} settings are refused:\n  " + "\n  ".join(faults) + "\n")
    sys.exit(WRONG_USE)


def setting_faults() -> list[str]:
    """Return a sentence for each setting that is refused, with the variable, the value, and what is allowed."""
    checks = (_limits, _level, _data_folder, _name, _store_program, _archive, _traces)
    return refused_settings() + [fault for check in checks if (fault := check())]


def setting_notes() -> list[str]:
    """Return a sentence for each setting that has no effect, or names a place that is missing."""
    missing = _missing_archive()
    return [*unknown_variables(), *([missing] if missing else [])]


def catalogue_faults() -> list[str]:
    """Return what is wrong with custom catalogues, for the processes that read them."""
    if not setting("FIELDBOOK_CATALOGUES"):
        return []
    from service.catalogues.catalogues import Catalogues  # noqa: PLC0415 - see above
    from service.catalogues.files import CataloguesRefused  # noqa: PLC0415

    try:
        Catalogues.from_environment()
    except CataloguesRefused as refused:
        return [f"FIELDBOOK_CATALOGUES is refused:\n{refused}"]
    return []


def _limits() -> str:
    if setting("FIELDBOOK_LIMITS") in {"on", "off"}:
        return ""
    from service.access.rate_limits import configured_quotas  # noqa: PLC0415 - see above

    try:
        configured_quotas()
    except BadSetting as refused:
        return str(refused)
    return ""


def _level() -> str:
    if setting("FIELDBOOK_DURABILITY") != "replicated" or setting(REDIS_URL.name):
        return ""
    return (
        "FIELDBOOK_DURABILITY must be memory, local or fsync for the embedded store, not 'replicated': set REDIS_URL"
        " to a server with a replica."
    )


def _data_folder() -> str:
    """Check that the data folder is one, or can be created."""
    folder = Path(setting("FIELDBOOK_DATA")).absolute()
    try:
        found = next(each for each in (folder, *folder.parents) if each.exists())
    except OSError as error:
        return f"FIELDBOOK_DATA must be the path of a folder, not {str(folder)[:200]!r}: {error.strerror}."
    if not found.is_dir():
        return f"FIELDBOOK_DATA must be a folder, not {str(folder)!r}: {found} is a file."
    if not os.access(found, os.W_OK | os.X_OK):
        return f"FIELDBOOK_DATA must be a folder, not {str(folder)!r}: {found} cannot be written to by this user."
    return ""


def _name() -> str:
    name = setting("FIELDBOOK_NAME")
    if not name:
        return ""
    from events.transparency.signed_note import NoteRefused, named_key  # noqa: PLC0415 - see above

    try:
        named_key(name, bytes(32))
    except NoteRefused as refused:
        return f"FIELDBOOK_NAME: {refused}."
    return ""


def _store_program() -> str:
    program = setting("FIELDBOOK_STORE_PROGRAM")
    if not program or setting(REDIS_URL.name) or (Path(program).is_file() and os.access(program, os.X_OK)):
        return ""
    return f"FIELDBOOK_STORE_PROGRAM must be the path of a program, not {program!r}."


def _archive() -> str:
    """Check that something can open the archive's address; it is not contacted."""
    address = setting("FIELDBOOK_ARCHIVE")
    if not address:
        return ""
    from service.platform.targets import BadTarget, open_target  # noqa: PLC0415 - see above

    try:
        open_target(address)
    except BadTarget as refused:
        return f"FIELDBOOK_ARCHIVE: {refused}"
    return ""


def _missing_archive() -> str:
    """Name an archive folder that does not exist. The service starts without: a folder may be mounted later."""
    address = setting("FIELDBOOK_ARCHIVE")
    folder = address.removeprefix("file://")
    if not address or "://" in folder or Path(folder).is_dir():
        return ""
    return (
        f"FIELDBOOK_ARCHIVE names the folder {without_password(folder)!r}, which does not exist: archived games"
        " cannot be read, and no game is archived. Create or mount it."
    )


def _traces() -> str:
    if setting("FIELDBOOK_TRACES") == "off":
        return ""
    from service.telemetry.starting import check_recording  # noqa: PLC0415 - see above

    try:
        check_recording()
    except BadSetting as refused:
        return str(refused)
    return ""
