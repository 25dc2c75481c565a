"""Which release of Fieldbook this is."""

import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


@cache
def release() -> str:
    """The release, such as `0.1.0`: of the source tree that runs, else of what is installed."""
    if _PROJECT.is_file():
        return str(tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    try:
        return version("fieldbook")
    except PackageNotFoundError:
        return "unknown"
