"""What streams tell of a game's cases: those that have not ended, and then each one that something happens in.

The dispute log of a followed game is read once for all of its streams.
"""

from typing import Any

from events.disputes.state import Case
from service.disputes.disputes import DisputeLog, Disputes
from service.http.context.callers import Caller
from service.http.context.disputants import sees_cases


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


class StreamCases:
    """Up to where one stream has told of the cases of its game."""

    __slots__ = ("_told", "are_told")

    def __init__(self, caller: Caller) -> None:
        """Nothing was told yet."""
        self.are_told = sees_cases(caller)
        """Whether anything ever is."""
        self._told: int | None = None

    def new(self, log: DisputeLog | None) -> list[dict[str, Any]]:
        """What is to be told now, by the game's dispute log as it stands; None where it has none."""
        if log is None or len(log.entries) == (self._told or 0):
            return []
        cases = [case for case in log.cases if self._is_new(log, case)]
        self._told = len(log.entries)
        return [_summarize(log, case) for case in cases]

    def _is_new(self, log: DisputeLog, case: Case) -> bool:
        if self._told is None:
            return not case.is_over
        return any(entry.happened.case == case.number for entry in log.entries[self._told :])


def _summarize(log: DisputeLog, case: Case) -> dict[str, Any]:
    """A case in a few words, with the last entry about it."""
    last = next(entry for entry in reversed(log.entries) if entry.happened.case == case.number)
    return {
        "dispute": case.number,
        "status": case.status,
        "version": case.version,
        "until": case.until,
        "number": last.number,
        "type": last.written["type"],
        "hash": last.hash,
    }
