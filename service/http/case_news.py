"""The dispute log of a followed game, read once for all streams that tell of its cases."""

from service.disputes import DisputeLog, Disputes


class CaseNews:
    """The dispute log of one game as it was seen last."""

    def __init__(self, disputes: Disputes, game: str) -> None:
        """Nothing was seen yet."""
        self._disputes = disputes
        self._game = game
        self._seen: DisputeLog | None = None

    def log(self) -> DisputeLog | None:
        """The log as it stands now; None where the game has no cases.

        Raises:
            StoreUnavailable, StoreDamaged
        """
        seen = self._seen
        extent = self._disputes.extent(self._game) or 0
        if extent != (len(seen.entries) if seen is not None else 0):
            self._seen = seen = self._disputes.of(self._game) if extent else None
        return seen
