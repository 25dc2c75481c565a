"""Bringing boards up to date: new games are read and verified once, and counted in the order in which they ended.

Boards are made again from the first game on that counts differently than before: a new one, which usually ended after
all others, or one about which a ruling, a case or a merge says something else than the boards were made of. For each
game it is kept what the standings were before it. No log is read for that. Every way leads to the same figures.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from replay.across.left import Left, Reason
from replay.across.mapping import map_game
from replay.ratings.finished_game import FinishedGame, Uncounted, finished_game
from replay.ratings.inputs import Inputs, RuledAfter
from replay.ratings.pool import Pool, PoolName, Standing, in_order, pool_names
from replay.ratings.rating import LEFT_OUT
from service.across.opened_store import OpenedStore
from service.disputes.disputes import Disputes
from service.disputes.queue import DisputeQueue
from service.players.store import PlayerRecords
from service.ratings.store import Applied, Before, MarkLost, RatingRecords, Recount
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

    def run(self, on_busy: Callable[[], object] | None = None) -> bool:
        """Read new games for some seconds, and count them; return False if another run is needed.

        While another process holds the mark, call `on_busy` and try again. Without `on_busy`, return True at once:
        that process does the work.
        """
        mark = self._begin(on_busy)
        if not mark:
            return True
        try:
            if not self._read_new(self._clock() + PART_SECONDS):
                return False
            self._count(self.inputs())
        except MarkLost:
            return False
        finally:
            self._records.end(mark)
        return True

    def begin_anew(self, on_busy: Callable[[], object]) -> None:
        """Have the following runs read every game again; call `on_busy` while another process holds the mark."""
        mark = self._begin(on_busy)
        try:
            self._records.remove_all()
        finally:
            self._records.end(mark)

    def _begin(self, on_busy: Callable[[], object] | None) -> str:
        while not (mark := self._records.begin()) and on_busy is not None:
            on_busy()
        return mark

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
        records = self._records
        applied, generation = records.applied(), records.generation()
        waiting = records.waiting()
        if generation > 1:
            records.remove(generation - 1)  # left by a run that ended before it could remove them
        if applied is None or not generation:
            self._count_all(generation, inputs)
            return
        first = min(self._affected(generation, applied.inputs, inputs, waiting), default=None)
        if first is None:
            if inputs != applied.inputs:
                records.write(generation, Recount(), Applied(inputs, applied.games), ())
            return
        new = {game.game for game in waiting}
        games = in_order(records.since(first))
        # A game that waits may be in the boards already: one that was read twice.
        kept = records.before(generation, [game.game for game in games])
        earlier = _counted(
            [game for game in games if game.game in kept or game.game not in new], applied.inputs
        )
        if kept.keys() != {game.game for game in earlier}:
            self._count_all(generation, inputs)
            return
        boards = _Boards(earlier, _counted(games, inputs))
        boards.begin(records, generation, kept)
        count = applied.games - len(earlier) + len(boards.games)
        records.write(generation, boards.recount(), Applied(inputs, count), waiting)
        records.remove_empty(generation, boards.names)

    def _count_all(self, generation: int, inputs: Inputs) -> None:
        """Make boards beside those in use, and then use them."""
        games = in_order(self._records.all())
        boards = _Boards((), _counted(games, inputs))
        self._records.remove(generation + 1)  # what a run left that was ended in between
        self._records.write(generation + 1, boards.recount(), Applied(inputs, len(boards.games)), games)
        self._records.remove(generation)

    def _affected(
        self, generation: int, earlier: Inputs, inputs: Inputs, waiting: Sequence[FinishedGame]
    ) -> Iterator[tuple[int, str]]:
        """Yield places in the order of games before which nothing counts differently than before."""
        yield from (game.place for game in waiting)
        ruled = {
            game
            for game in earlier.ruled.keys() | inputs.ruled.keys()
            if earlier.ruled.get(game) != inputs.ruled.get(game)
        }
        named = ruled | set(earlier.disputed) ^ set(inputs.disputed)
        for game in self._records.games(sorted(named)):
            if earlier.applied(game) != inputs.applied(game):
                yield game.place
        merged = {
            earlier.whom(who)
            for who in earlier.merged.keys() | inputs.merged.keys()
            if earlier.whom(who) != inputs.whom(who)
        }
        if merged:
            yield from self._records.first_places(generation, sorted(merged))


def _counted(games: Sequence[FinishedGame], inputs: Inputs) -> list[FinishedGame]:
    return [each for game in games if (each := inputs.applied(game)) is not None]


class _Boards:
    """Boards made again from some game on."""

    def __init__(self, earlier: Sequence[FinishedGame], games: Sequence[FinishedGame]) -> None:
        """Count these games in place of those that counted earlier; both are in order."""
        self._earlier = earlier
        self.games = games
        self._who: dict[PoolName, dict[str, None]] = {}
        for game in (*earlier, *games):
            for name in pool_names(game):
                self._who.setdefault(name, {}).update(dict.fromkeys(seat.who for seat in game.seats))
        self._pools = {name: Pool() for name in self._who}
        self._rows: dict[PoolName, Pool] = {}

    @property
    def names(self) -> tuple[PoolName, ...]:
        """The pools that change."""
        return tuple(self._pools)

    def begin(
        self, records: RatingRecords, generation: int, kept: Mapping[str, Mapping[str, Before]]
    ) -> None:
        """Begin with the standings before the first of the games, given those before each earlier one."""
        self._rows = {name: records.pool(generation, name, who) for name, who in self._who.items()}
        for name, rows in self._rows.items():
            self._pools[name] = Pool(rows.standings, rows.seats)
        for game in reversed(self._earlier):
            for name in pool_names(game):
                pool, before = self._pools[name], kept[game.game][name.time]
                _restore(pool.standings, before.players)
                _restore(pool.seats, before.seats)

    def recount(self) -> Recount:
        """Count the games; what is to be written."""
        recount = Recount(before=dict.fromkeys(game.game for game in self._earlier))
        for game in self.games:
            recount.before[game.game] = {}
            for name in pool_names(game):
                self._apply(game, name, recount)
        for name, pool in self._pools.items():
            rows = self._rows.get(name, Pool())
            recount.players[name] = {who: pool.standings.get(who) for who in self._who[name]}
            recount.seats[name] = {place: pool.seats.get(place) for place in rows.seats | pool.seats}
            for who, row in rows.standings.items():
                left = pool.standings.get(who, Standing()).games
                if left < row.games:
                    recount.stale.append((name, who, range(left, row.games)))
        return recount

    def _apply(self, game: FinishedGame, name: PoolName, recount: Recount) -> None:
        pool = self._pools[name]
        players = {seat.who: pool.standings.get(seat.who) for seat in game.seats}
        places = (f"{len(game.seats)}/{seat.place}" for seat in game.seats)
        before = Before(players, {place: pool.seats.get(place) for place in places})
        recount.before[game.game] = (recount.before[game.game] or {}) | {name.time: before}
        for change in pool.apply(game):
            recount.changes.append((name, (players[change.who] or Standing()).games, change))


def _restore(standings: dict[str, Standing], before: dict[str, Standing | None]) -> None:
    for who, standing in before.items():
        if standing is None:
            standings.pop(who, None)
        else:
            standings[who] = standing
