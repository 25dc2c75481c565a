"""An earlier release is set up once for each commit, and says what stands in its way."""

import subprocess
from pathlib import Path

import pytest

from tests.benchmarks.peers.earlier_release import NotSetUp, UnknownRevision, earlier_release
from tests.benchmarks.release import Release

PYTHON = """#!/bin/sh
echo "$@" >> "{calls}"
if [ "$2" = venv ]; then mkdir -p "$4/bin" && cp "$0" "$4/bin/python"; fi
if [ "$2" = "{fails}" ]; then echo "no room left" >&2; exit 3; fi
"""
"""Stands for an interpreter: it writes down what it is asked for, and makes environments of itself."""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with one commit, tagged 1.0, and something newer that is not committed."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    (folder / "requirements").mkdir()
    (folder / "requirements" / "runtime.txt").write_text("flask==1\n", encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    author = ("-c", "user.name=Ann", "-c", "user.email=ann@beans.example", "-c", "commit.gpgsign=false")
    git(folder, *author, "commit", "--quiet", "--message", "rules: one bean")
    git(folder, "tag", "1.0")
    (folder / "requirements" / "runtime.txt").write_text("flask==2\n", encoding="utf-8")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """What git answers there."""
    return subprocess.run(
        ["git", "-C", folder, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


class Interpreter:
    """One that only writes down what it is asked for."""

    def __init__(self, folder: Path, fails: str = "") -> None:
        """It fails at this module."""
        self.path = folder / "python"
        self._calls = folder / "calls"
        self.path.write_text(PYTHON.format(calls=self._calls, fails=fails), encoding="utf-8")
        self.path.chmod(0o700)

    @property
    def calls(self) -> list[str]:
        """What it was asked for so far."""
        return self._calls.read_text(encoding="utf-8").splitlines() if self._calls.exists() else []


def release_of(
    clone: Path, revision: str, interpreter: Interpreter, said: list[str] | None = None
) -> Release:
    """The release at a revision of the clone, kept beside it."""
    told = list[str]() if said is None else said
    return earlier_release(
        revision, told.append, checkout=clone, folder=clone.parent / "releases", python=interpreter.path
    )


def test_a_release_has_the_sources_of_its_commit_and_an_environment_of_its_own(
    clone: Path, tmp_path: Path
) -> None:
    """With its own requirements, by their hashes; and no entry of it stays in the repository."""
    interpreter, said = Interpreter(tmp_path), list[str]()

    release = release_of(clone, "1.0", interpreter, said)

    commit = git(clone, "rev-parse", "1.0")
    assert release.name == f"1.0 ({commit[:12]})"
    assert release.folder == tmp_path / "releases" / commit[:12]
    assert (release.folder / "requirements" / "runtime.txt").read_text(encoding="utf-8") == "flask==1\n"
    assert release.python.is_relative_to(release.folder)
    made, required, installed = interpreter.calls
    assert made.startswith("-m venv ")
    assert required.endswith(f"--require-hashes -r {release.folder / 'requirements' / 'runtime.txt'}")
    assert installed.endswith(f"--no-deps --no-build-isolation --editable {release.folder}")
    assert said == [
        f"Setting up {release.name}, once: its sources, and an environment with its own requirements."
    ]
    assert len(git(clone, "worktree", "list").splitlines()) == 1


def test_it_is_there_at_once_the_second_time_by_whatever_name(clone: Path, tmp_path: Path) -> None:
    """What counts is the commit."""
    interpreter, said = Interpreter(tmp_path), list[str]()
    first = release_of(clone, "1.0", interpreter)
    asked = interpreter.calls

    again = release_of(clone, git(clone, "rev-parse", "HEAD"), interpreter, said)

    assert again.folder == first.folder
    assert interpreter.calls == asked
    assert said == []


@pytest.mark.parametrize("step", ["venv", "pip"])
def test_a_step_that_fails_is_told_and_taken_again_the_next_time(
    clone: Path, tmp_path: Path, step: str
) -> None:
    """Half of a release is none."""
    with pytest.raises(NotSetUp, match="no room left"):
        release_of(clone, "1.0", Interpreter(tmp_path, fails=step))

    assert release_of(clone, "1.0", Interpreter(tmp_path)).python.exists()


@pytest.mark.parametrize("revision", ["2.0", "--all", "0" * 40, ""])
def test_a_revision_that_is_not_there_is_told_with_what_to_do(
    clone: Path, tmp_path: Path, revision: str
) -> None:
    """Before anything is made."""
    with pytest.raises(UnknownRevision, match=f"no revision '{revision}' in this clone"):
        release_of(clone, revision, Interpreter(tmp_path))

    assert not (tmp_path / "releases").exists()


def test_what_is_no_clone_has_no_earlier_releases(tmp_path: Path) -> None:
    """Such as the unpacked sources of a release."""
    with pytest.raises(NotSetUp, match="no clone of the repository"):
        release_of(tmp_path, "1.0", Interpreter(tmp_path))


def test_without_git_it_says_so(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotSetUp, match="git is not installed"):
        release_of(clone, "1.0", Interpreter(tmp_path))
