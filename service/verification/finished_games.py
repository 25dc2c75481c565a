"""Which finished games there are, as the log itself tells.

The list comes from the feeds, which every append writes in the same step as the game's stream. The list of games that
the API shows is no witness: it may be behind, and is made to be thrown away.
A game that a feed tells of and whose log is gone or damaged is in the list: nothing drops out by being broken.
"""

from collections.abc import Iterable, Iterator

from events.store.errors import GameNotFound, StoreDamaged
from service.storage.store import Store

CHUNK = 5000
"""Feed entries read at once."""
LAST_EVENT = "secret_revealed"
"""The type of the event that finishes a game."""


def list_finished_games(store: Store) -> Iterator[str]:
    """The ids of all finished games, partition by partition, in the order in which they were begun.

    Raises:
        StoreUnavailable
    """
    for game, version in list_games(store):
        if is_finished(store, game, version):
            yield game


def list_games(store: Store, partitions: Iterable[int] | None = None) -> Iterator[tuple[str, int]]:
    """All games that the feeds of all or of these partitions tell of, each with the last version of which they tell.

    Raises:
        StoreUnavailable
    """
    for partition in range(store.partitions) if partitions is None else partitions:
        yield from _last_versions(store, partition).items()


def is_finished(store: Store, game: str, version: int) -> bool:
    """Whether the game, told to be at this version, is finished; so it counts, too, where that entry cannot be read.

    An archived game is, and its file is not fetched for that.

    Raises:
        StoreUnavailable
    """
    try:
        if store.archiving.tombstone(game) is not None:
            return True
        entries = store.read(game, version - 1, 1)
    except (GameNotFound, StoreDamaged):
        return True
    return not entries or entries[0].type == LAST_EVENT


def _last_versions(store: Store, partition: int) -> dict[str, int]:
    found: dict[str, int] = {}
    position = 0
    while entries := store.read_feed(partition, position, CHUNK):
        position = entries[-1].position
        for entry in entries:
            found[entry.game_id] = max(entry.last_version, found.get(entry.game_id, 0))
    return found
