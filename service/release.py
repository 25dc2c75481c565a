"""Which release of Fieldbook this is."""

import platform
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from events.redis_functions import LIBRARY
from events.rules.rule_system import ENGINE_VERSION

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


@cache
def release() -> str:
    """The release, such as `0.1.0`: of the source tree that runs, else of what is installed."""
    if _PROJECT.is_file():
        return str(tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    try:
        return version("fieldbook")
    except PackageNotFoundError:
        return "unknown"


@cache
def build() -> dict[str, str]:
    """What a report of a fault should name."""
    return {
        "release": release(),
        "engine": str(ENGINE_VERSION),
        "store_functions": LIBRARY,
        "python": platform.python_version(),
    }
