"""Projecting in this process, and the list as the API shows it."""

from typing import Any

from events.store.redis.redis_store import RedisEventStore
from service.jobs.dispatching import Dispatcher
from service.projections.comparing import Comparison, Difference
from service.projector import Projector
from tests.service.in_process import InProcess


class Silent(Dispatcher):
    """Notes what would be enqueued."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.enqueued: list[tuple[str, int]] = []

    def enqueue(self, game: str, version: int) -> bool:
        """Note a game."""
        self.enqueued.append((game, version))
        return True


def project(store: RedisEventStore) -> list[tuple[str, int]]:
    """Let a fresh projector start and catch up; returns what it enqueued."""
    dispatcher = Silent()
    projector = Projector(store, dispatcher)
    projector.begin()
    projector.catch_up(projector.partitions())
    return dispatcher.enqueued


def listed(api: InProcess, query: str = "") -> dict[str, dict[str, Any]]:
    """The games in the list, through all pages, newest first."""
    found: dict[str, dict[str, Any]] = {}
    cursor = ""
    while True:
        page = api.get(f"/v1/games?{query}{cursor}")
        for game in page["games"]:
            assert game["game"] not in found, "a game stands on two pages"
            found[game["game"]] = game
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def differences(store: RedisEventStore) -> list[Difference]:
    """How the list differs from one that is built from the logs."""
    return list(Comparison(store).run(lambda _entries: None))
