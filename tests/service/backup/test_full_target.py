"""A target that is full: what was begun is taken away again, and what is in the store stays in the store.

A limit on the size of files stands for the full disk: the write fails half-way, in a process of its own.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from service.backup.backing_up import BackingUp
from service.backup.files import MANIFEST
from service.platform.targets import open_target
from tests.support.archiving import NOW, Installation, settings_in
from tests.support.servers import ROOT, RunningStore

LIMIT = 4096
"""Bytes that a file may have; an archived game and the file of a backup have some ten thousand."""
LIMITED = """
import resource, runpy, sys
sys.dont_write_bytecode = True  # Python keeps half a file of it, which every later process would stumble over
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv = sys.argv[1:]
runpy.run_module("service.command_line", run_name="__main__")
"""


def on_a_full_disk(
    store: RunningStore, target: str, data: Path, *arguments: str, limit: int = LIMIT
) -> subprocess.CompletedProcess[str]:
    """Run `fieldbook` in a process that cannot write a large file."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), *arguments],
        cwd=ROOT,
        env={
            **store.environment,
            "REDIS_URL": store.url,
            "FIELDBOOK_DATA": str(data),
            "FIELDBOOK_ARCHIVE": target,
            "COLUMNS": "300",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_full_archive_leaves_nothing_half_done(
    in_folder: Installation, running_store: RunningStore, tmp_path: Path
) -> None:
    """Every game stays whole in the store, no file is left; the run gives up, says why, and ends with status 1."""
    games = [in_folder.finished(seed) for seed in range(1, 5)]

    done = on_a_full_disk(
        running_store, in_folder.target.address, tmp_path / "data", "archive", "--older-than", "0s"
    )

    assert done.returncode == 1, done.stderr
    assert "File too large" in done.stdout
    assert done.stdout.count("cannot be used") == 3
    assert done.stdout.count("not tried") == 1
    assert "4 failed" in done.stdout
    assert in_folder.target.names() == {}
    for game in games:
        assert in_folder.stream_is_there(game.id)
        assert in_folder.store.archiving.tombstone(game.id) is None
    assert {each.what for each in in_folder.run()} == {"archived"}


@pytest.mark.parametrize("last", ["store-0001.ndjson.gz", MANIFEST])
def test_a_full_target_of_a_backup_is_left_as_it_was(
    in_folder: Installation, running_store: RunningStore, tmp_path: Path, last: str
) -> None:
    """Full at the first file or at the manifest: the reason is said, and what was written is removed again."""
    data, place, reference = tmp_path / "data", tmp_path / "backup", open_target(str(tmp_path / "reference"))
    in_folder.signing_keys_in(data)
    if last != MANIFEST:
        in_folder.finished()
    BackingUp(in_folder.store, settings_in(data), reference).run(NOW)
    sizes = reference.names()
    limit = max([1, *(size for name, size in sizes.items() if size < sizes[last])])

    done = on_a_full_disk(running_store, in_folder.target.address, data, "backup", str(place), limit=limit)

    assert done.returncode == 74, done.stderr
    assert "No backup was made" in done.stderr
    assert f"{last} cannot be written" in done.stderr
    assert open_target(str(place)).names() == {}
    manifest = BackingUp(in_folder.store, settings_in(data), open_target(str(place))).run(NOW)
    assert manifest.games == (last != MANIFEST)
