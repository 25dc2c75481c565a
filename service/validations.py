"""The validator's reports, and the verdict that the list shows."""

from typing import Any

import msgspec

from events.redis_store import RedisEventStore
from service.checkpoints import Checkpoints

VALIDATIONS = "validations-1"
MOST_REPORTS = 20
"""Reports kept per game; the oldest go first."""


class Validations:
    """Reports on finished games, kept beside the store's games."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep them in this store."""
        self._store = store
        self._checkpoints = Checkpoints(store)

    def reports(self, game: str) -> list[dict[str, Any]]:
        """All reports on a game, newest first.

        Raises:
            StoreUnavailable
        """
        stored = self._store.connection.command("HGET", self._key(self._store.partition_of(game)), game)
        found: list[dict[str, Any]] = msgspec.json.decode(stored) if stored else []
        return found

    def add(self, game: str, report: dict[str, Any]) -> None:
        """Keep a report. One on the same version by the same engine is replaced, so a job may run twice.

        Raises:
            StoreUnavailable
        """
        kept = [each for each in self.reports(game) if _about(each) != _about(report)]
        stored = msgspec.json.encode([report, *kept][:MOST_REPORTS])
        self._store.connection.command("HSET", self._key(self._store.partition_of(game)), game, stored)

    def verdict(self, game: str) -> str:
        """`pending`, or by the newest report `valid` or `invalid`.

        Raises:
            StoreUnavailable
        """
        return self.verdicts(self._store.partition_of(game), [game])[0]

    def verdicts(self, partition: int, games: list[str]) -> list[str]:
        """The verdicts on several games of one partition, in order.

        Raises:
            StoreUnavailable
        """
        stored = self._store.connection.command("HMGET", self._key(partition), *games)
        return [_verdict(reports) for reports in stored]

    def _key(self, partition: int) -> str:
        return self._checkpoints.read_model_key(partition, VALIDATIONS, "reports")


def _about(report: dict[str, Any]) -> tuple[Any, Any]:
    return report.get("version"), report.get("engine_version")


def _verdict(reports: bytes | None) -> str:
    if reports is None:
        return "pending"
    return "valid" if msgspec.json.decode(reports)[0]["ok"] else "invalid"
