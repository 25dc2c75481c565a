"""What a process needs when it starts: whatever is refused ends it with one sentence and status 2."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from events.redis_store import RedisEventStore
from events.store_errors import StoreError
from service.configuration import BadSetting
from service.dispute_settings import dispute_limits
from service.queues import check_queue
from service.signing_keys import SigningKeysUnusable
from service.store_opening import open_store
from service.store_settings import StoreSettings
from service.targets import BadTarget

WRONG_USE: Final = 2


@contextmanager
def ending_where_refused() -> Iterator[None]:
    """End the process where settings, store, archive, queue or keys are refused, saying why on standard error."""
    try:
        yield
    except (BadSetting, StoreError, BadTarget, SigningKeysUnusable) as error:
        sys.stderr.write(f"Not started. {error}\n")
        sys.exit(WRONG_USE)


def queue_at_start() -> None:
    """Look where the queue is; ends the process where it cannot be there."""
    with ending_where_refused():
        check_queue()


def settings_at_start() -> StoreSettings:
    """The configured settings; ends the process where they cannot be understood."""
    with ending_where_refused():
        dispute_limits()
        return StoreSettings.from_environment()


def store_at_start(settings: StoreSettings) -> RedisEventStore:
    """The store of these settings; ends the process where it is refused, or does not come up in time."""
    with ending_where_refused():
        return open_store(settings)
