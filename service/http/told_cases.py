"""What a stream tells of a game's cases: those that have not ended, and then each one that something happens in."""

from typing import Any

from events.disputes.state import Case
from service.disputes import DisputeLog
from service.http.callers import Caller
from service.http.disputants import sees_cases


class ToldCases:
    """Up to where one stream has told of the cases of its game."""

    def __init__(self, caller: Caller) -> None:
        """Nothing was told yet."""
        self.are_told = sees_cases(caller.rights)
        """Whether anything ever is."""
        self._told: int | None = None

    def new(self, log: DisputeLog | None) -> list[dict[str, Any]]:
        """What is to be told now, by the game's dispute log as it stands; None where it has none."""
        if log is None or len(log.entries) == (self._told or 0):
            return []
        cases = [case for case in log.cases if self._is_new(log, case)]
        self._told = len(log.entries)
        return [_told(log, case) for case in cases]

    def _is_new(self, log: DisputeLog, case: Case) -> bool:
        if self._told is None:
            return not case.is_over
        return any(entry.happened.case == case.number for entry in log.entries[self._told :])


def _told(log: DisputeLog, case: Case) -> dict[str, Any]:
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
