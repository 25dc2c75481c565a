"""A store that remembers every append it acknowledged, and can tell afterwards what has become of them."""

from collections.abc import Sequence
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from events.log.recorded import RecordedEvent
from events.store.event_store import Appended
from events.store.redis.entries import PreparedAppend
from events.store.redis.redis_store import RedisEventStore


class Acknowledged(NamedTuple):
    """One append that its caller was told has happened."""

    at: float
    """When, by the monotonic clock."""
    game: str
    command_id: str
    answer: Appended


class WitnessedStore(RedisEventStore):
    """The store on Redis or Valkey, under observation."""

    acknowledged: list[Acknowledged]
    _adding: Lock

    def __init__(self, *arguments: object, **named: object) -> None:
        """Open it as any other."""
        self.acknowledged = []
        self._adding = Lock()
        super().__init__(*arguments, **named)  # type: ignore[arg-type]

    def read_append(self, asked: PreparedAppend, reply: Any) -> Appended:
        """Remember the answer to an append, whoever has asked for it."""
        answer = super().read_append(asked, reply)
        with self._adding:
            self.acknowledged.append(Acknowledged(monotonic(), asked.game_id, asked.command_id, answer))
        return answer

    def lost(self, first: int = 0) -> list[Acknowledged]:
        """Which of the acknowledged appends, from that one on, the log does not hold as they were acknowledged."""
        since = self.acknowledged[first:]
        logs = {game: self.read(game) for game in {each.game for each in since}}
        return [each for each in since if not _holds(logs[each.game], each.answer)]

    def doubled(self, first: int = 0) -> list[str]:
        """The games, of those appended to from then on, where a command stands twice or an entry has none."""
        games = {each.game for each in self.acknowledged[first:]}
        return [game for game in sorted(games) if not self._is_accounted_for(game)]

    def _is_accounted_for(self, game: str) -> bool:
        """Whether each entry belongs to one command, and the feed tells of each once; play may go on meanwhile."""
        version = len(self.read(game))
        brought_about = [
            (answer.first_version, answer.last_version) for _, answer in self.archiving.commands(game)
        ]
        feed = self.read_feed(self.partition_of(game), limit=1_000_000)
        told = [(each.first_version, each.last_version) for each in feed if each.game_id == game]
        return all(_each_once(found, version) for found in (sorted(brought_about), told))


def _each_once(found: Sequence[tuple[int, int]], version: int) -> bool:
    """Whether these ranges, as far as they end by a version, hold each version up to it once and in order."""
    versions = [each for first, last in found if last <= version for each in range(first, last + 1)]
    return versions == list(range(1, version + 1))


def _holds(log: tuple[RecordedEvent, ...], answer: Appended) -> bool:
    return len(log) >= answer.last_version and log[answer.last_version - 1].hash == answer.head_hash
