"""Who is low on time at a moment: a fifth is left of what they had, and still some of it."""

from typing import NamedTuple

from events.game.clock import Clock, Wait
from service.play.lost_time import count_lost
from service.play.timekeeping import TimeUncertain
from service.storage.life_marks import Life


class Low(NamedTuple):
    """Of what a game waits for: which of it is low on time at a moment, and when that changes next."""

    waits: tuple[Wait, ...]
    """As the log has them."""
    next: int | None
    """When the next one will be low, as far as that is known."""


def find_low(clock: Clock, at: int, life: Life) -> Low:
    """Who has a fifth of their time left at a moment, and still some of it.

    What was lost in gaps counts as given back, also where the log does not say so yet.

    Raises:
        TimeUncertain: nobody watches the time, or the service has just come back.
    """
    if not life.is_known_at(at):
        raise TimeUncertain(at + 1000)
    unsettled = max((gap.until for gap in life.gaps), default=0)
    if unsettled > at:
        raise TimeUncertain(unsettled)
    # The same waits in the same order, some of them longer.
    pairs = tuple(zip(clock.waits, count_lost(clock, at, life.gaps).waits, strict=True))
    low = tuple(logged for logged, counted in pairs if counted.low_at <= at < counted.deadline)
    return Low(low, min((each.low_at for _, each in pairs if each.low_at > at), default=None))


def next_low(clock: Clock | None) -> int | None:
    """When the first of those that a game waits for is low on time, by its log alone; None without any."""
    return None if clock is None else min((each.low_at for each in clock.waits), default=None)
