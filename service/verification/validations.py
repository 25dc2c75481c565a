"""The validator's reports, the verdict that the list shows, and which games this release cannot judge.

Reports are no projection: nothing computes them again. A game's reports and the sorted set of its verdict, by which
the list finds it, change in one step, and only if nobody else has changed them since they were read. So a job may run
twice, and two workers may judge one game at once.
"""

import logging
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from events.store.errors import GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from service.verification.store import INVALID, VALID, ReportRecords

MOST_REPORTS: Final = 20
"""Reports kept per game; the oldest go first."""
PENDING: Final = "pending"
_log = logging.getLogger("fieldbook.validations")


class Unreadable(msgspec.Struct, frozen=True):
    """Why a game was not judged: a release could not read it, and says nothing against it."""

    version: int
    release: str
    """What that release could read; see `service.verification.readable.readable_here`."""
    reason: str


class Validations:
    """Reports on finished games, kept beside the store's games. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = store
        self._records = ReportRecords(store)

    def reports(self, game: str) -> list[dict[str, Any]]:
        """All reports on a game, newest first."""
        return _decode(self._records.get(game))

    def add(self, game: str, report: dict[str, Any]) -> None:
        """Keep a report. One on the same version by the same engine is replaced, so a job may run twice."""
        created = self._read_created(game)
        while True:
            stored = self._records.get(game)
            kept = [each for each in _decode(stored) if _about(each) != _about(report)]
            if self._replace(game, stored, msgspec.json.encode([report, *kept][:MOST_REPORTS]), created):
                self._records.forget_unreadable(game)
                return

    def verdict(self, game: str) -> str:
        """`pending`, or by the newest report `valid` or `invalid`."""
        return self.verdicts(self._store.partition_of(game), [game])[0]

    def verdicts(self, partition: int, games: list[str]) -> list[str]:
        """The verdicts on several games of one partition, in order."""
        return [verdict_of(reports) for reports in self._records.several(partition, games)]

    def question(self, partition: int, games: Sequence[str]) -> tuple[str, ...]:
        """The command that asks the store for the reports on several games of one partition, for `verdict_of`."""
        return self._records.question(partition, games)

    def verdict_keys(self, partition: int) -> tuple[str, str]:
        """The keys of the sorted sets of the games found valid, and of those found invalid."""
        return self._records.verdict_keys(partition)

    def list_all(self, partition: int) -> None:
        """Put the games whose reports a former release wrote into the sorted sets; done once."""
        if self._records.is_listed(partition):
            return
        for game in self._records.games(partition):
            stored = self._records.get(game)
            while stored and not self._replace(game, stored, stored, self._read_created(game)):
                stored = self._records.get(game)
        self._records.mark_listed(partition)

    def unreadable(self, partition: int, games: list[str]) -> list[Unreadable | None]:
        """Why games of a partition were not judged when it was tried; None for those judged since, or not tried."""
        stored = self._records.unreadable(partition, games)
        return [msgspec.json.decode(why, type=Unreadable) if why is not None else None for why in stored]

    def note_unreadable(self, game: str, why: Unreadable) -> None:
        """Remember why the game was not judged, so that it is tried again only where that may have changed."""
        self._records.note_unreadable(game, msgspec.json.encode(why))

    def forget_unreadable(self) -> None:
        """Have all games that could not be read tried again."""
        self._records.forget_all_unreadable()

    def _replace(self, game: str, old: bytes, new: bytes, created: int) -> bool:
        """Keep other reports than those that were read; False when somebody has changed them since."""
        return self._records.replace(game, old, new, created, verdict_of(new))

    def _read_created(self, game: str) -> int:
        """When the game was created (milliseconds); 0 where its first entry is lost, as the list has it."""
        try:
            return next((entry.at for entry in self._store.read(game, 0, 1)), 0)
        except (GameNotFound, StoreDamaged):
            return 0


def _decode(stored: bytes | None) -> list[dict[str, Any]]:
    """Stored reports; none where they cannot be read, so that the game is judged again."""
    try:
        return msgspec.json.decode(stored, type=list[dict[str, Any]]) if stored else []
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        _log.error("the reports of a game cannot be read, it is judged again: %s", error)
        return []


def _about(report: dict[str, Any]) -> tuple[Any, Any]:
    return report.get("version"), report.get("engine_version")


def verdict_of(reports: bytes | None) -> str:
    """The verdict of the reports on a game as they are stored."""
    newest = next(iter(_decode(reports)), None)
    if newest is None:
        return PENDING
    return VALID if newest.get("ok") else INVALID
