"""Which games wait until when: a sorted set for each partition, moved along the feeds with its checkpoint.

A game stands in it by the moment from which on the first thing that it waits for is over, or it may be closed. So a
sweep costs what is over by then, however many games there are.
"""

import logging
from collections import OrderedDict
from typing import Final

from events.domain_events import GameCreated
from events.log.codec import decode_event
from events.log.upcasting import UndecodableEvent
from events.rules.catalogues.catalogue import CatalogueInvalid
from events.store.errors import ArchiveUnavailable, GameNotFound, StoreDamaged
from events.store.event_store import FeedEntry
from service.feeds.feed_follower import FeedConsumer
from service.play.tables import Tables
from service.play.timekeeping import next_moment
from service.storage.checkpoints import Checkpoints, Write
from service.storage.due_index import DueIndex
from service.storage.store import Store

NAME: Final = "clocks-1"
"""Of the checkpoints, with the version of what is kept."""
DUE: Final = "due"
"""The sorted set: games by when the first thing that they wait for is over, or they may be closed (milliseconds since
the epoch)."""
MOST_REMEMBERED: Final = 50_000
"""Games of which it is remembered that time does nothing in them."""
_log = logging.getLogger("fieldbook.clocks")


def due_index(store: Store, partitions: list[int]) -> DueIndex:
    """The sets of these partitions."""
    checkpoints = Checkpoints(store)
    return DueIndex(store, [checkpoints.read_model_key(each, NAME, DUE) for each in partitions])


class DueGames(FeedConsumer):
    """Keeps the sets."""

    tolerates_gaps = True

    def __init__(self, store: Store) -> None:
        """Keep those of the games of this store."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._tables = Tables(store)
        self._without: OrderedDict[str, None] = OrderedDict()

    def position(self, partition: int) -> int:
        """How far a feed was read."""
        return self._checkpoints.checkpoint(partition, NAME)

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        """Note until when the games that have moved wait now.

        Raises:
            CheckpointMoved: another process was faster.
        """
        games = dict.fromkeys(entry.game_id for entry in entries)
        writes = [each for game in games for each in self._writes(game)]
        self._checkpoints.project(partition, NAME, position, entries[-1].position, writes)

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Begin anew: the store may have come back older than it was."""
        _log.warning("partition %d: all its clocks are looked at again: %s", partition, damage)
        position = self.position(partition)
        if position:
            self._checkpoints.project(partition, NAME, position, 0, [Write("DEL", DUE)])

    def _writes(self, game: str) -> list[Write]:
        if game in self._without:
            self._without.move_to_end(game)
            return []
        try:
            if not self._is_timed(game):
                self._without[game] = None
                while len(self._without) > MOST_REMEMBERED:
                    self._without.popitem(last=False)
                return []
            table = self._tables.newest(game).table
            found = next_moment(table.log, table.state)
        except GameNotFound:
            found = None
        except (StoreDamaged, ArchiveUnavailable, UndecodableEvent, CatalogueInvalid, LookupError) as error:
            # Nobody can play it either; as soon as it moves it is looked at again.
            _log.error("the clock of game %s cannot be read: %s", game, error)
            found = None
        return [Write("ZREM", DUE, (game,)) if found is None else Write("ZADD", DUE, (found, game))]

    def _is_timed(self, game: str) -> bool:
        """Whether a game is played by a clock, or may be closed; an archived one is not played any more."""
        if self._store.archiving.tombstone(game) is not None:
            return False
        first = self._store.read(game, 0, 1)
        event = decode_event(first[0])
        return isinstance(event, GameCreated) and (event.clock, event.close_after) != (None, None)
