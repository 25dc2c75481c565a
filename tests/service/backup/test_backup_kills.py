"""`fieldbook backup` and `fieldbook restore` are killed in the middle: nothing half done is ever taken for whole."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from events.store.errors import StoreMisconfigured
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pool import Argument
from events.store.redis.redis_store import RedisEventStore
from service.backup.backing_up import BackingUp
from service.backup.files import MANIFEST, BackupUnusable
from service.backup.restoring import Restoring
from service.backup.store import EmptyStore
from service.platform.targets import open_target
from tests.support.archiving import NOW, Installation, settings_in
from tests.support.processes import Service
from tests.support.servers import ROOT, RunningStore, empty, environment_without_settings, eventually

FILES = ("store-0001.ndjson.gz", "signing-keys.json", MANIFEST)
"""The files of a small backup, in the order in which they are written."""
DYING_BACKUP = """
import os, signal, sys
from service.cli import backup
from service.platform.targets import Target, open_target
class Dying(Target):
    def write(self, name, content):
        if name == sys.argv[2]:
            os.kill(os.getpid(), signal.SIGKILL)
        super().write(name, content)
backup.open_target = lambda address, options: Dying(open_target(address, options).address)
backup.backup.main([sys.argv[1]])
"""
DYING_RESTORE = """
import os, signal, sys
from service.backup import store
from service.cli import backup
from tests.service.backup.test_backup_kills import Counting
class Dying(Counting):
    def command(self, *arguments, repeat=False):
        if self.writes == int(sys.argv[2]) - 1 and arguments[0] in self.WRITING:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().command(*arguments, repeat=repeat)
store.connect = Dying
backup.restore.main([sys.argv[1]])
"""


class Counting(RedisConnection):
    """A connection that counts what is written."""

    WRITING = frozenset({"SET", "HSET", "XADD", "ZADD", "RPUSH", "SADD", "FCALL"})
    writes = 0

    def command(self, *arguments: Argument, repeat: bool = False) -> Any:
        """Send a command, and count it when it is a write."""
        self.writes += arguments[0] in self.WRITING
        return super().command(*arguments, repeat=repeat)


def run(program: str, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of ours to its end, however it ends."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def fieldbook(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `fieldbook` with these settings."""
    program = "import sys; from service.command_line import main; main(sys.argv[1:])"
    return run(program, environment, *arguments)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[RunningStore]:
    """Run a second server, which is empty."""
    with RunningStore(tmp_path / "elsewhere") as running:
        yield running


def filled(installation: Installation, data: Path) -> None:
    """Give an installation games of three kinds, and keys."""
    installation.signing_keys_in(data)
    installation.archived(1)
    installation.finished(2)
    installation.api.stored(3, stop_at=80)


@pytest.mark.parametrize("name", FILES)
def test_a_killed_backup_is_none(
    in_folder: Installation, running_store: RunningStore, elsewhere: RunningStore, tmp_path: Path, name: str
) -> None:
    """Killed before any of its files: it is not restored, nothing is written over it, and a new place works."""
    data, place, another = tmp_path / "data", tmp_path / "backup", open_target(str(tmp_path / "another"))
    filled(in_folder, data)
    environment = {**running_store.environment, "REDIS_URL": running_store.url, "FIELDBOOK_DATA": str(data)}

    killed = run(DYING_BACKUP, environment, str(place), name)

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert set(open_target(str(place)).names()) == set(FILES[: FILES.index(name)])
    connection = RedisConnection(elsewhere.url)
    with pytest.raises(BackupUnusable, match="no finished backup"):
        Restoring(open_target(str(place)), EmptyStore(connection), tmp_path / "new").run()
    if name != FILES[0]:
        with pytest.raises(BackupUnusable, match="perhaps a backup that was not finished"):
            BackingUp(in_folder.store, settings_in(data), open_target(str(place))).run(NOW)
    BackingUp(in_folder.store, settings_in(data), another).run(NOW)
    _, found = Restoring(another, EmptyStore(connection), tmp_path / "new").run()
    assert (found.games, found.archived) == (3, 1)
    connection.close()


@pytest.mark.parametrize("part", ["the second", "a middle one", "the last"])
def test_a_killed_restore_leaves_a_store_that_nobody_works_with(
    in_folder: Installation, elsewhere: RunningStore, tmp_path: Path, part: str
) -> None:
    """Killed before one of its writes: opening the store says what to do; once it is emptied a restore works."""
    data, source, new = tmp_path / "data", open_target(str(tmp_path / "backup")), tmp_path / "new"
    filled(in_folder, data)
    BackingUp(in_folder.store, settings_in(data), source).run(NOW)
    counting = Counting(elsewhere.url)
    Restoring(source, EmptyStore(counting), new).run()
    last = {"the second": 2, "a middle one": counting.writes // 2, "the last": counting.writes}[part]
    empty(elsewhere.url)
    rmtree(new)

    environment = {**elsewhere.environment, "REDIS_URL": elsewhere.url, "FIELDBOOK_DATA": str(new)}
    killed = run(DYING_RESTORE, environment, str(tmp_path / "backup"), str(last))

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with pytest.raises(StoreMisconfigured, match=r"not finished\. Empty the store and begin again"):
        RedisEventStore.connect(elsewhere.url)
    with pytest.raises(BackupUnusable, match=r"store is not empty|holds signing-keys\.json already"):
        Restoring(source, EmptyStore(counting), new).run()

    empty(elsewhere.url)
    rmtree(new, ignore_errors=True)
    Restoring(source, EmptyStore(counting), new).run()
    RedisEventStore.connect(elsewhere.url).close()
    counting.close()


def test_a_killed_restore_leaves_no_store_running(in_folder: Installation, tmp_path: Path) -> None:
    """The embedded store that a restore has started for itself ends with it; an emptied folder takes the next one."""
    data, place = tmp_path / "data", tmp_path / "backup"
    filled(in_folder, data)
    BackingUp(in_folder.store, settings_in(data), open_target(str(place))).run(NOW)
    (tmp_path / "new").mkdir()
    with Service(tmp_path / "new") as service:
        environment = environment_without_settings() | service.environment

        killed = run(DYING_RESTORE, environment, str(place), "20")

        assert killed.returncode == -signal.SIGKILL, killed.stderr
        eventually(lambda: not service.alive(), seconds=30)
        service.start("store")
        with pytest.raises(StoreMisconfigured, match="not finished"):
            service.open_store()
        service.stop("store")
        rmtree(tmp_path / "new" / "data")
        again = fieldbook(environment, "restore", str(place))
        assert again.returncode == 0, again.stderr
        assert "Restored: 3 games" in again.stdout
        eventually(lambda: not service.alive(), seconds=30)


def test_a_failed_restore_is_told_from_one_that_never_began(
    in_folder: Installation, elsewhere: RunningStore, tmp_path: Path
) -> None:
    """A data folder that cannot be written ends it in the middle: status 1, and what to do stands beside it."""
    data, place = tmp_path / "data", tmp_path / "backup"
    filled(in_folder, data)
    BackingUp(in_folder.store, settings_in(data), open_target(str(place))).run(NOW)
    (tmp_path / "a file").write_bytes(b"")
    environment = {
        **elsewhere.environment,
        "REDIS_URL": elsewhere.url,
        "FIELDBOOK_DATA": str(tmp_path / "a file"),
    }

    failed = fieldbook(environment, "restore", str(place))

    assert failed.returncode == 1
    assert "The restore failed" in failed.stderr
    assert "Empty the store and begin again" in failed.stderr
    connection = RedisConnection(elsewhere.url)
    assert connection.command("DBSIZE") > 1
    connection.close()
