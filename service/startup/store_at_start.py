"""What a process needs when it starts: whatever is refused ends it with one sentence and status 2."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from events.store.errors import StoreError
from service.platform.configuration import BadSetting, check_settings
from service.platform.targets import BadTarget
from service.startup.store_opening import open_store
from service.storage.queues import check_queue
from service.storage.settings import StoreSettings
from service.storage.store import Store
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


def queue_at_start() -> None:
    """Look where the queue is; ends the process where it cannot be there."""
    with exit_on_startup_error():
        check_queue()


def settings_at_start() -> StoreSettings:
    """The configured settings; ends the process where they cannot be understood."""
    with exit_on_startup_error():
        check_settings()
        return StoreSettings.from_environment()


def store_at_start(settings: StoreSettings) -> Store:
    """The store of these settings; ends the process where it is refused, or does not come up in time."""
    with exit_on_startup_error():
        return open_store(settings)
