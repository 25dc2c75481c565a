"""When things happened, by what a log says: times that never decrease, and seeds that came after the commitment."""

from typing import Final

from events import domain_events as e
from replay.records.report import Discrepancy

NO_SEEDS: Final = "none"
WITH_THE_COMMITMENT: Final = "with"
AFTER_THE_COMMITMENT: Final = "after"
SHOWN: Final = "shown"
_BEFORE_THE_START: Final = (e.GameCreated, e.SeatTaken)


class Times:
    """Holds the times of one log against each other.

    Attributes:
        seeds: `none` while no seat has brought one, `after` where all came after the commitment was given out, and
            `with` where one may have been known to whoever chose the secret.
    """

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.seeds = NO_SEEDS
        self._at = 0
        self._close_after: int | None = None
        self._known_from = 0
        """Seeds that were named at this time or before may have been known when the secret was chosen."""

    def follow(self, at: int, event: e.DomainEvent) -> None:
        """Check the time of the next entry against those before it.

        Raises:
            Discrepancy: it cannot be.
        """
        if isinstance(event, _BEFORE_THE_START):
            self._note(at, event)
        elif isinstance(event, e.GameClosed) and at < self._at + 1000 * (self._close_after or 0):
            raise Discrepancy(
                "clock", f"the game was closed sooner than {self._close_after} seconds after its last entry"
            )
        if at < self._at:
            raise Discrepancy("shape", f"the time {at} lies before that of the entry before, {self._at}")
        self._at = at

    def _note(self, at: int, event: e.GameCreated | e.SeatTaken) -> None:
        if isinstance(event, e.GameCreated):
            self._begin(at, event)
        elif event.seed and self.seeds != WITH_THE_COMMITMENT:
            self.seeds = AFTER_THE_COMMITMENT if at > self._known_from else WITH_THE_COMMITMENT

    def _begin(self, at: int, event: e.GameCreated) -> None:
        if event.committed_at is not None and not 0 <= event.committed_at <= at:
            raise Discrepancy("shape", f"the commitment cannot have been given out at {event.committed_at}")
        self._close_after = event.close_after
        self._known_from = at if event.committed_at is None else -1
