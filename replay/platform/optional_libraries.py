"""Libraries that only some commands need, and that an installation can do without."""

import sys
from importlib import import_module


class NotInstalled(Exception):
    """A library that is asked for is not there; the message says how to get it."""


def require_library(library: str, purpose: str) -> None:
    """Refuse to go on without a library.

    Raises:
        NotInstalled: it is not there.
    """
    try:
        import_module(library)
    except ImportError as error:
        raise NotInstalled(
            f"{purpose} need {library}, which is not installed; get it with"
            f" {sys.executable} -m pip install 'fieldbook[analysts]', or in a checkout with"
            f" {sys.executable} -m pip install --require-hashes -r requirements/analysts.txt"
        ) from error
