"""Ending a process at its start: whatever is refused ends it with one sentence and status 2."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from events.store.errors import StoreError
from service.platform.configuration import BadSetting
from service.platform.targets import BadTarget
from service.verification.signing_keys import SigningKeysUnusable

WRONG_USE: Final = 2


@contextmanager
def exit_on_startup_error() -> Iterator[None]:
    """End the process where settings, store, archive, queue or keys are refused, saying why on standard error."""
    try:
        yield
    except (BadSetting, StoreError, BadTarget, SigningKeysUnusable) as error:
        sys.stderr.write(f"Not started. {error}\n")
        sys.exit(WRONG_USE)
