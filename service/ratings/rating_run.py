"""Bringing boards up to date: new games are read and verified once, and counted in the order in which they ended.

A game that ended after all that count is added to the boards there are. Where one comes in before others, or where a
ruling, a case or a merge says something else than the boards were made of, they are made anew from what was read of
the games, beside those in use: no log is read for that. Both lead to the same figures.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from replay.across.left import Left, Reason
from replay.across.mapping import map_game
from replay.ratings.finished_game import FinishedGame, Uncounted, finished_game
from replay.ratings.inputs import Inputs, RuledAfter
from replay.ratings.pool import Change, Pool, PoolName, in_order, pool_names
from replay.ratings.rating import LEFT_OUT
from service.across.opened_store import OpenedStore
from service.disputes.disputes import Disputes
from service.disputes.queue import DisputeQueue
from service.players.store import PlayerRecords
from service.ratings.store import Applied, RatingRecords
from service.storage.store import Store
from service.verification.exporting import Wanted, feed_ends, list_ended_since

PART_SECONDS: Final = 5.0
"""After so long a run leaves the games that are still to be read to the next one."""


_LEFT_OUT: Final = LEFT_OUT - {Reason.ANNULLED}
"""What is not read; a ruling that annuls a game may be overturned, so that is looked at when games are counted."""


class RatingRun:
    """Brings the boards of a store up to date; every method may raise StoreUnavailable."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Rate the games of this store; `clock` says how long it takes (seconds)."""
        self._store = store
        self._clock = clock
        self._records = RatingRecords(store)
        self._source = OpenedStore(store)

    def run(self) -> bool:
        """Read new games for some seconds, and count them; False where some are left, and nobody else reads them."""
        mark = self._records.begin()
        if not mark:
            return True
        try:
            if not self._read_new(self._clock() + PART_SECONDS):
                return False
            self._count(self.inputs())
        finally:
            self._records.end(mark)
        return True

    def begin_anew(self) -> None:
        """Have the following runs read every game again, whatever is known of it."""
        self._records.remove_all()

    def _read_new(self, until: float) -> bool:
        ends = feed_ends(self._store)
        place = self._records.place() or (0,) * len(ends)
        for ended in list_ended_since(self._store, place, ends, Wanted()):
            told = map_game(finished_game, self._source, ended.game, _LEFT_OUT)
            answer = Uncounted(told.detail) if isinstance(told, Left) else told.answer
            self._records.add(ended.game, answer, ended.place)
            if self._clock() >= until:
                return False
        if place != ends:
            self._records.move(ends)
        return True

    def inputs(self) -> Inputs:
        """What is known beside the records, as it stands, of games that can count."""
        results = Disputes(self._store).all_ruled()
        ruled = {
            game: RuledAfter(results[game].kind, results[game].winners, results[game].scores)
            for game in self._records.countable(sorted(results))
        }
        disputed = tuple(self._records.countable(DisputeQueue(self._store).games()))
        merged = dict(sorted(PlayerRecords(self._store).merges().items()))
        return Inputs(ruled, disputed, merged)

    def _count(self, inputs: Inputs) -> None:
        digest = hashlib.sha256(msgspec.json.encode(inputs)).hexdigest()
        before, generation = self._records.applied(), self._records.generation()
        waiting = in_order(self._records.waiting())
        is_same = digest == before.inputs and generation > 0
        if is_same and not waiting:
            return
        if is_same and waiting[0].place > (before.ended, before.game):
            made = _Boards(lambda name, who: self._records.pool(generation, name, who))
            made.count(waiting, inputs)
            self._write(generation, made, digest, before, waiting, in_pieces=False)
            return
        games = in_order(self._records.all())
        made = _Boards(lambda _name, _who: Pool())
        made.count(games, inputs)
        self._records.remove(generation + 1)  # what a run left that was ended in between
        self._write(generation + 1, made, digest, Applied(), games, in_pieces=True)
        self._records.remove(generation)

    def _write(
        self,
        generation: int,
        made: "_Boards",
        digest: str,
        before: Applied,
        games: Sequence[FinishedGame],
        *,
        in_pieces: bool,
    ) -> None:
        last = games[-1].place if games else (before.ended, before.game)
        applied = Applied(digest, *last, before.games + made.games)
        self._records.write(generation, made.pools, made.changes, applied, games, in_pieces=in_pieces)


class _Boards:
    """Pools while games are counted; each is begun with what is known of those who play."""

    def __init__(self, begin: Callable[[PoolName, set[str]], Pool]) -> None:
        self._begin = begin
        self.pools: dict[PoolName, Pool] = {}
        self.changes: list[tuple[PoolName, Change]] = []
        self.games = 0

    def count(self, games: Sequence[FinishedGame], inputs: Inputs) -> None:
        counted = [each for game in games if (each := inputs.applied(game)) is not None]
        who: dict[PoolName, set[str]] = {}
        for game in counted:
            for name in pool_names(game):
                who.setdefault(name, set()).update(seat.who for seat in game.seats)
        self.pools = {name: self._begin(name, players) for name, players in who.items()}
        for game in counted:
            for name in pool_names(game):
                self.changes += [(name, each) for each in self.pools[name].apply(game)]
        self.games = len(counted)
