"""The only clock of the service; every other part is handed the time."""

import time


def now_milliseconds() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000
