"""What lies on the table in `ladybohn-expansion` only: fans, the quota field, levies due and promises."""

import msgspec

from events.domain_events import Card

Fan = tuple[Card, ...]
"""The cards of a fan, top card first."""


class LevyPromise(msgspec.Struct, frozen=True):
    """A binding promise: the next levy of `seat` spares `to`."""

    seat: int
    to: int


class LadyBohnTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the expansion adds to the table; everybody sees all of it."""

    fans: tuple[Fan, ...] = ()
    quota: int | None = None
    """Who has the quota field, which is that seat's third field."""
    levies: tuple[int, ...] = ()
    """Whose levies are due, each seat as often as it has one, in the order earned."""
    promises: tuple[LevyPromise, ...] = ()
    """In the order made."""

    def spared_by(self, owner: int) -> tuple[int, ...]:
        """Whom this seat has promised to spare with its next levy."""
        return tuple(sorted({promise.to for promise in self.promises if promise.seat == owner}))
