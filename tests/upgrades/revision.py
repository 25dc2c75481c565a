"""Two revisions of the sources: this checkout and an earlier commit, run by the same interpreter."""

import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.servers import ROOT


@dataclass(frozen=True, slots=True)
class Revision:
    """Sources that can be started."""

    name: str
    folder: Path
    python: Path = Path(sys.executable)


OURS: Final = Revision("this commit", ROOT)


class NotUsable(Exception):
    """A revision cannot run beside this one; the message says why."""


def unpack(revision: str, folder: Path) -> Revision:
    """Unpack the sources of a commit into a folder.

    Raises:
        NotUsable: git does not know the commit, or it needs other requirements than are installed.
    """
    folder.mkdir(parents=True)
    archive = folder / "sources.tar"
    done = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--output", str(archive), "--end-of-options", revision],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotUsable(f"git cannot unpack {revision!r}: {done.stderr.strip()}")
    with tarfile.open(archive) as sources:
        sources.extractall(folder)  # noqa: S202 - our own archive
    archive.unlink()
    runtime = Path("requirements") / "runtime.txt"
    if (folder / runtime).read_bytes() != (ROOT / runtime).read_bytes():
        raise NotUsable(
            f"{revision} has other requirements than this commit; name a commit with the same ones."
        )
    return Revision(revision, folder)
