"""Games that wait, in a store whose time is watched meanwhile."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from events.store.redis.redis_store import RedisEventStore
from service.feeds.feed_follower import FeedFollower
from service.platform.clock import now_milliseconds
from service.storage.life_marks import LifeMarks
from service.timekeeping.due_games import DueGames
from tests.support.waiting_games import answering, put_game

BEAT_SECONDS: Final = 0.5


def put_all(store: RedisEventStore, name: str, count: int, at: int, seconds: int) -> list[str]:
    """So many games that have begun at this moment (milliseconds since the epoch) and wait so many seconds.

    When that is over a bot takes the seat, and they wait no more.

    Raises:
        StoreError
    """
    games = [f"{name}-{number}" for number in range(count)]
    for game in games:
        put_game(store, game, at, answering(seconds, strikes=1))
    return games


def index_all(store: RedisEventStore) -> None:
    """Note which games wait until when, as a projector does.

    Raises:
        StoreError
    """
    follower = FeedFollower(store, [DueGames(store)], log=logging.getLogger("fieldbook.benchmarks"))
    follower.catch_up(range(store.partitions))


@contextmanager
def watched(store: RedisEventStore) -> Iterator[None]:
    """Have the time watched while something else is done: no gap comes about."""
    marks, stopping = LifeMarks(store), Event()

    def watch() -> None:
        while not stopping.wait(BEAT_SECONDS):
            marks.beat_all(range(store.partitions), now_milliseconds())

    marks.beat_all(range(store.partitions), now_milliseconds())
    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
