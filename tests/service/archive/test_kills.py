"""A process that archives is killed after each of its steps: nothing is lost, and the next run finishes."""

import signal
import subprocess
import sys

import pytest

from tests.support.archiving import NOW, Installation
from tests.support.servers import ROOT, RunningStore

STEPS = ("read", "written", "verified", "archived")
PROGRAM = """
import os, signal, sys
from service.archive.files import archive_target
from service.storage.settings import StoreSettings
from service.archive.archiving import Archiving
from service.startup.store_opening import open_store
game, last, now = sys.argv[1:]
for step in Archiving(open_store(), archive_target(StoreSettings.from_environment())).steps(game, int(now)):
    if step == last:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("last", STEPS)
def test_a_kill_after_any_step_loses_nothing(
    in_folder: Installation, running_store: RunningStore, last: str
) -> None:
    """At every moment the game can be read whole; a second run archives it, once."""
    game = in_folder.finished()
    environment = {**running_store.environment, "FIELDBOOK_ARCHIVE": in_folder.target.address}

    killed = subprocess.run(
        [sys.executable, "-c", PROGRAM, game.id, last, str(NOW)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    in_folder.forget()
    assert in_folder.store.read(game.id) == game.recorded.log
    assert in_folder.stream_is_there(game.id) == (last != "archived")
    assert len(in_folder.target.names()) == (last != "read")

    again = subprocess.run(
        [sys.executable, "-m", "service.command_line", "archive", "--older-than", "0s"],
        cwd=ROOT,
        env=environment | {"COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert again.returncode == 0, again.stdout + again.stderr
    in_folder.forget()
    assert not in_folder.stream_is_there(game.id)
    assert in_folder.store.read(game.id) == game.recorded.log
    assert len(in_folder.target.names()) == 1


def test_a_file_that_was_not_finished_is_in_nobodys_way(in_folder: Installation) -> None:
    """Killed while it wrote: the half file has another name, and the next run writes a whole one."""
    game = in_folder.finished()
    in_folder.target.write("games/.half.0123.partial", b"\x1f\x8b half")

    in_folder.archiving.archive(game.id, NOW)
    in_folder.forget()

    assert in_folder.store.read(game.id) == game.recorded.log
