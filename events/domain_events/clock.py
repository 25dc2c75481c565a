"""What the clock of a game brought about: time that was over, and time that counts for nobody."""

from events.domain_events.base import DomainEvent, ForeseeableEvent


class TimeExpired(DomainEvent, frozen=True):
    """A seat's time was over at `deadline` (milliseconds since the epoch).

    With `offer`, its time to answer that one: it counts as declined. Else what the game waited for is done for the
    seat: it declines what was to be taken back, or its bot makes the move. `strikes` is in how many turns that has
    happened to it.
    """

    seat: int
    deadline: int
    offer: int | None = None
    strikes: int = 0


class TimeCredited(ForeseeableEvent, frozen=True):
    """The time from `since` to `until` (milliseconds since the epoch) counts for nobody: nobody could play.

    `reason` is `outage` or `maintenance`.
    """

    since: int
    until: int
    reason: str


CLOCK = TimeExpired | TimeCredited
