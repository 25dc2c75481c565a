"""`fieldbook restore` where an installation is: it says that the place is occupied, and what to do.

Source: issue 43, and docs/operating.md, "Backup and restore": only into an empty store and an empty data folder.
"""

from pathlib import Path

import pytest

from tests.support.commands import fieldbook
from tests.support.processes import Service


@pytest.fixture
def installation(tmp_path: Path) -> Service:
    """Prepare an installation with one game, stopped, and its backup in `backup`."""
    with Service(tmp_path) as service:
        service.start("store", "web")
        service.await_ready()
        service.people(1)
        done = fieldbook("backup", tmp_path / "backup", environment=service.environment)
        assert done.returncode == 0, done.stderr
    return service


def test_a_data_folder_of_an_installation_is_refused(installation: Service) -> None:
    """Whether it runs or not, the first sentence is about the folder, and nothing is started there."""
    backup, environment = installation.folder / "backup", installation.environment
    expected = (
        f"Nothing was restored: {installation.folder / 'data'} holds signing-keys.json already. A backup is only"
        " restored into an empty data folder: set FIELDBOOK_DATA to a new one.\n"
    )

    stopped = fieldbook("restore", backup, environment=environment)
    with installation:
        installation.start("store", "web")
        installation.await_ready()
        running = fieldbook("restore", backup, environment=environment)

    for refused in (stopped, running):
        assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", expected)


def test_a_store_that_holds_something_is_refused(installation: Service) -> None:
    """Also without the files of the keys, and only once the store has loaded what it holds."""
    for name in ("signing-keys.json", "first-key"):
        (installation.folder / "data" / name).unlink(missing_ok=True)

    refused = fieldbook("restore", installation.folder / "backup", environment=installation.environment)

    assert refused.returncode == 2
    assert "Nothing was restored: The store is not empty." in refused.stderr
    assert "in a new data folder instead of" in refused.stderr


def test_a_restore_that_found_no_backup_can_be_repeated_in_the_same_place(installation: Service) -> None:
    """The store that was started for it leaves the place empty."""
    environment = installation.environment | {"FIELDBOOK_DATA": str(installation.folder / "new")}

    missing = fieldbook("restore", installation.folder / "nothing", environment=environment)
    found = fieldbook("restore", installation.folder / "backup", environment=environment)

    assert missing.returncode == 1
    assert "Nothing was restored: " in missing.stderr
    assert found.returncode == 0, found.stderr
