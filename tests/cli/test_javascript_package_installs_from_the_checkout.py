"""npm installs the JavaScript package from a checkout and changes nothing in it (npm documentation of `bin`)."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.servers import ROOT

PACKAGE = "replay"
COMMAND = "second_verifier/verify.mjs"


def git(folder: Path, *arguments: str) -> str:
    """Return what git prints."""
    run = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout


def test_the_command_of_the_package_is_executable_in_git() -> None:
    """An installation makes the files of `bin` executable: with another mode in git it changes the checkout."""
    assert git(ROOT, "ls-files", "--stage", f"{PACKAGE}/{COMMAND}").startswith("100755 ")
    assert (ROOT / PACKAGE / COMMAND).read_bytes().startswith(b"#!/usr/bin/env node\n")


def test_installing_and_packing_leave_the_checkout_clean(tmp_path: Path) -> None:
    """Both ways: the folder, which npm links, and the archive that npm packs, whose command runs."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on the path")
    checkout, user = tmp_path / "checkout", tmp_path / "user"
    git(tmp_path, "clone", "--quiet", "--no-hardlinks", str(ROOT), str(checkout))
    user.mkdir()

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [*arguments], cwd=user, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    quiet = ("--offline", "--no-audit", "--no-fund", "--omit=dev")
    run(npm, "install", *quiet, str(checkout / PACKAGE))
    assert "Usage: node verify.mjs RECORD" in _refusal(user)
    # The types of the archive need the development tools; `make package` builds them and is tested elsewhere.
    packed = run(npm, "pack", "--ignore-scripts", *quiet, str(checkout / PACKAGE)).strip().splitlines()[-1]
    run(npm, "install", *quiet, packed)
    assert "Usage: node verify.mjs RECORD" in _refusal(user)
    assert git(checkout, "status", "--porcelain") == ""


def _refusal(user: Path) -> str:
    """Return what the installed command says without arguments."""
    command = user / "node_modules" / ".bin" / "fieldbook-verify"
    done = subprocess.run([str(command)], capture_output=True, text=True, check=False, timeout=60)
    return done.stderr
