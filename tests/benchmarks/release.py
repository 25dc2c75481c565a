"""What is measured: a release of Fieldbook in a folder, with the Python of its own environment."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Release:
    """A release that can be started."""

    name: str
    """How it is called beside a figure."""
    folder: Path
    """Its sources."""
    python: Path
    """The interpreter of the environment that has what this release needs."""


OURS: Final = Release("this release", ROOT, Path(sys.executable))
