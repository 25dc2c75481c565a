"""How long somebody waits for the store in all, over everything that is asked of it for them.

Time counts only where nothing came of it: a request that reads much may take long, one whose store is silent may not.
Where nothing is bounded, as in the processes behind the service, the connection's own patience holds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Final

_left: Final[ContextVar[float]] = ContextVar("seconds_left_for_the_store", default=inf)


def bound_waiting(seconds: float = inf) -> None:
    """From here on, in this thread, wait in vain for so many seconds in all; without a number, unbounded."""
    _left.set(seconds)


def waiting_left() -> float:
    """The seconds that are left; none or fewer when nothing may be waited for any more."""
    return _left.get()


def count_waiting(seconds: float) -> None:
    """Take off time for which something was waited for in vain."""
    _left.set(_left.get() - seconds)


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """Within this, in this thread, wait in vain for so many seconds in all, or for what is left if that is less."""
    before = _left.get()
    _left.set(min(seconds, before))
    try:
        yield
    finally:
        waited = min(seconds, before) - _left.get()
        _left.set(before - waited)
