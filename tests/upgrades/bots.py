"""No game of bots stands still for ever, whichever releases have met it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from events.store.redis.redis_store import RedisEventStore
from service.verification.finished_games import is_finished
from tests.faults.installation import Installation

GO_ON_SECONDS: Final = 180.0
"""How long it may take until all of them have moved: they share the processors with everybody."""
LOOK_SECONDS: Final = 0.5


def bots_findings(installation: Installation, games: Sequence[str]) -> Iterator[str]:
    """Each of these has come to its end, or goes on."""
    with closing(installation.open_store()) as store:
        stood = {game: _version(store, game) for game in games}
        standing = dict(stood)
        deadline = time.monotonic() + GO_ON_SECONDS
        while standing and time.monotonic() < deadline:
            standing = {
                game: version
                for game, version in standing.items()
                if _version(store, game) == version and not is_finished(store, game, version)
            }
            time.sleep(LOOK_SECONDS)
    for game, version in standing.items():
        yield f"game {game}, of bots, stands still at version {version}"


def _version(store: RedisEventStore, game: str) -> int:
    head = store.head(game)
    return 0 if head is None else head.version
