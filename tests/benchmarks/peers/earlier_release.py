"""An earlier release as a peer: its own sources and its own environment, set up once for each commit and kept.

The sources come from `git archive`: unlike a worktree they leave no entry behind in the repository, and whoever has
enough of them deletes the folder.
"""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.benchmarks.release import ROOT, Release

FOLDER: Final = Path(sys.prefix) / ".releases"
"""Each release has a folder here, named after its commit. It goes with our environment (`make clean`)."""
SHORT: Final = 12
"""Characters of a commit's id that name it."""
LONGEST_STEP_SECONDS: Final = 900.0


class UnknownRevision(Exception):
    """There is no such revision here; the text says what to do."""


class NotSetUp(Exception):
    """A release could not be set up; the text says why."""


def earlier_release(
    revision: str,
    say: Callable[[str], object],
    *,
    checkout: Path = ROOT,
    folder: Path = FOLDER,
    python: Path = Path(sys.executable),
) -> Release:
    """The release at a revision of this repository, ready to be started.

    Args:
        revision: whatever git takes for a commit: a tag, a branch, the beginning of an id.
        say: hears that a release is being set up, which takes a minute.
        checkout: any folder of the clone that knows the revision.
        folder: where releases are kept.
        python: the interpreter that makes their environments.

    Raises:
        UnknownRevision: it names no commit of this clone.
        NotSetUp: git or the clone is missing, or a step failed.

    """
    clone = _answered(
        "This is no clone of the repository", "git", "-C", checkout, "rev-parse", "--show-toplevel"
    )
    commit = _commit(revision, Path(clone))
    short = commit[:SHORT]
    place = folder / short
    release = Release(
        short if commit.startswith(revision) else f"{revision} ({short})", place, _python_of(place)
    )
    done = place / ".set-up"
    if not done.exists():
        say(f"Setting up {release.name}, once: its sources, and an environment with its own requirements.")
        _set_up(commit, Path(clone), release, python)
        done.touch()
    return release


def _commit(revision: str, clone: Path) -> str:
    try:
        return _answered(
            "", "git", "-C", clone, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"
        )
    except NotSetUp as error:
        raise UnknownRevision(
            f"There is no revision {revision!r} in this clone. Name a commit, a tag or a branch that `git log` knows;"
            " `git fetch --unshallow` brings all of them to a clone without history."
        ) from error


def _set_up(commit: str, clone: Path, release: Release, python: Path) -> None:
    """Begin anew: what an interrupted call has left is no release."""
    shutil.rmtree(release.folder, ignore_errors=True)
    release.folder.mkdir(parents=True)
    archive = release.folder / "sources.tar"
    _answered("Its sources", "git", "-C", clone, "archive", "--output", archive, commit)
    with tarfile.open(archive) as sources:
        # The first releases of Python 3.11 know no filters (https://docs.python.org/3/library/tarfile.html).
        sources.extraction_filter = getattr(tarfile, "data_filter", None)
        sources.extractall(release.folder)  # noqa: S202 - our own archive
    archive.unlink()
    # As the Makefile does it; what is installed is what that release has pinned.
    _answered("Its environment", python, "-m", "venv", "--clear", release.python.parents[1])
    install = (release.python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
    requirements = release.folder / "requirements" / "runtime.txt"
    _answered("Its requirements", *install, "--require-hashes", "-r", requirements)
    _answered("Its packages", *install, "--no-deps", "--no-build-isolation", "--editable", release.folder)


def _python_of(folder: Path) -> Path:
    return folder / ".venv" / "bin" / "python"


def _answered(what: str, *command: str | Path) -> str:
    """What a command prints, on one line.

    Raises:
        NotSetUp: it is not there, or fails.
    """
    try:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, check=True, timeout=LONGEST_STEP_SECONDS
        )
    except FileNotFoundError as error:
        raise NotSetUp(
            f"{command[0]} is not installed, and an earlier release cannot be had without it."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise NotSetUp(f"{what} took longer than {LONGEST_STEP_SECONDS:.0f} s.") from error
    except subprocess.CalledProcessError as error:
        raise NotSetUp(
            f"{what}: {error.stderr.strip()[-500:] or f'exit status {error.returncode}'}"
        ) from error
    return done.stdout.strip()
