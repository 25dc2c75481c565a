"""Which games wait until when: sorted sets for each partition, moved along the feeds with their checkpoint.

In one a game stands by the moment from which on the first thing that it waits for is over, or it may be closed; in
the other by the moment at which somebody it waits for is low on time. So a look costs what is due by then, however
many games there are.
"""

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from events.domain_events import GameCreated
from events.log.codec import decode_event
from events.log.upcasting import UndecodableEvent
from events.rules.catalogues.catalogue import CatalogueInvalid
from events.store.errors import ArchiveUnavailable, GameNotFound, StoreDamaged
from events.store.event_store import EventStore, FeedEntry
from service.feeds.feed_follower import FeedConsumer
from service.play.low_time import next_low
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
LOW: Final = "low"
"""The sorted set: games by when the first of those that they wait for is low on time, told or not."""
MOST_REMEMBERED: Final = 50_000
"""Games of which it is remembered that time does nothing in them."""
_log = logging.getLogger("fieldbook.clocks")


def due_index(store: EventStore, partitions: Sequence[int], part: str = DUE) -> DueIndex:
    """The sets of these partitions, of one kind."""
    checkpoints = Checkpoints(store)
    return DueIndex(store, [checkpoints.read_model_key(each, NAME, part) for each in partitions])


def move_game(part: str, game: str, moment: int | None) -> Write:
    """What puts a game where it belongs by a moment, or takes it out."""
    return Write("ZREM", part, (game,)) if moment is None else Write("ZADD", part, (moment, game))


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
            self._checkpoints.project(partition, NAME, position, 0, [Write("DEL", DUE), Write("DEL", LOW)])

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
            found, low = next_moment(table.log, table.state), next_low(table.log.clock)
        except GameNotFound:
            found = low = None
        except (StoreDamaged, ArchiveUnavailable, UndecodableEvent, CatalogueInvalid, LookupError) as error:
            # Nobody can play it either; as soon as it moves it is looked at again.
            _log.error("the clock of game %s cannot be read: %s", game, error)
            found = low = None
        return [move_game(DUE, game, found), move_game(LOW, game, low)]

    def _is_timed(self, game: str) -> bool:
        """Whether a game is played by a clock, or may be closed; an archived one is not played any more."""
        if self._store.archiving.tombstone(game) is not None:
            return False
        first = self._store.read(game, 0, 1)
        event = decode_event(first[0])
        return isinstance(event, GameCreated) and (event.clock, event.close_after) != (None, None)
