"""Thousands of games with running clocks: a sweep costs what is due, and of what is due at once it does a part."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count, islice
from typing import Final

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.feeds.feed_follower import FeedFollower
from service.storage.life_marks import SETTLING
from service.timekeeping.due_games import DueGames, due_index
from service.timekeeping.sweeper import MOST_AT_ONCE, Sweeper
from tests.support.depth import depth
from tests.support.server_counts import ADDING, READING, count_commands
from tests.support.waiting_games import answering, put_game
from tests.support.watched_time import WatchedTime

FEW: Final = 100
MANY: Final = depth(1000, 10_000)
AT_ONCE: Final = depth(300, 10_000)
DUE: Final = 10
SECONDS: Final = 20
"""For an answer, in a game that will be due; its grace is a second more."""
LONG: Final = 7200


def catch_up(store: RedisEventStore) -> None:
    """Have somebody note which games wait until when."""
    everywhere = range(store.partitions)
    FeedFollower(store, [DueGames(store)], log=logging.getLogger("tests")).catch_up(everywhere)


def names_in(store: RedisEventStore, partition: int, name: str) -> Iterator[str]:
    """Names of games of this partition."""
    names = (f"{name}-{number}" for number in count())
    return (each for each in names if store.partition_of(each) == partition)


def put_waiting(
    store: RedisEventStore, time: WatchedTime, games: Iterable[str], seconds: int = SECONDS
) -> None:
    """Games that have begun now and wait so long; when that is over a bot takes the seat, and they wait no more."""
    for game in games:
        put_game(store, game, time.now, answering(seconds, strikes=1))


def expired(store: RedisEventStore, games: Iterable[str]) -> int:
    """In how many of these games time was over, once."""
    return types_in(store, games)["time_expired",]


def types_in(store: RedisEventStore, games: Iterable[str]) -> Counter[tuple[str, ...]]:
    """What the clock has brought about in each of these games, and in how many the same."""
    times = ("time_expired", "time_credited")
    return Counter(tuple(each.type for each in store.read(game) if each.type in times) for game in games)


@pytest.mark.deep
def test_a_sweep_costs_what_is_due_and_not_what_there_is(store: RedisEventStore, time: WatchedTime) -> None:
    """Of 100 games ten are due, and then ten of thousands: the server carries out the very same commands."""
    costs, stored = [], 0
    for size in (FEW, MANY):
        games = [f"due-{size}-{number}" for number in range(DUE)]
        put_waiting(store, time, (f"waiting-{size}-{number}" for number in range(size - DUE - stored)), LONG)
        put_waiting(store, time, games)
        stored = size
        catch_up(store)
        sweep = partial(Sweeper(store).perform, time.now)
        sweep()
        idle = count_commands(store, sweep)
        time.watch(SECONDS + 1)
        costs.append((idle, count_commands(store, partial(Sweeper(store).perform, time.now))))
        assert expired(store, games) == DUE
        catch_up(store)
    (nothing_due, ten_due), of_many = costs
    assert (nothing_due, ten_due) == of_many
    assert nothing_due[READING] == nothing_due[ADDING] == 0
    assert ten_due[READING] == DUE


@pytest.mark.deep
def test_of_what_is_due_at_once_a_part_is_done_and_nobody_else_is_held_up(
    store: RedisEventStore, time: WatchedTime
) -> None:
    """Of one partition so many in each sweep, of all others everything; every time is recorded once."""
    games, others = (
        list(islice(names_in(store, 0, "due"), AT_ONCE)),
        list(islice(names_in(store, 1, "due"), DUE)),
    )
    put_waiting(store, time, games + others)
    catch_up(store)
    time.watch(SECONDS + 1)
    sweeper = Sweeper(store)
    for done in (*range(MOST_AT_ONCE, AT_ONCE, MOST_AT_ONCE), AT_ONCE):
        sweeper.perform(time.now)
        assert store.feed_end(0) == AT_ONCE + done
        assert store.feed_end(1) == 2 * DUE
        catch_up(store)
        time.watch(1)
    assert expired(store, games) == AT_ONCE
    assert expired(store, others) == DUE


@pytest.mark.deep
def test_after_an_outage_everybody_has_the_time_back_before_any_is_over(
    store: RedisEventStore, time: WatchedTime
) -> None:
    """So many games at a time, each once; then all are due at the same moment."""
    games = [f"due-{number}" for number in range(AT_ONCE)]
    put_waiting(store, time, games)
    catch_up(store)
    time.watch(5)
    time.be_away(3600)
    sweeper = Sweeper(store)
    for done in (*range(MOST_AT_ONCE, AT_ONCE, MOST_AT_ONCE), AT_ONCE):
        sweeper.perform(time.now)
        assert sum(map(store.feed_end, range(store.partitions))) == AT_ONCE + done
    assert types_in(store, games) == {("time_credited",): AT_ONCE}
    catch_up(store)
    waiting = due_index(store, [*range(store.partitions)]).due(2**53)
    assert set(waiting.values()) == {time.now + (SECONDS + 1 - 5) * 1000}


def test_time_is_given_back_before_anything_is_over_in_a_partition_and_in_no_other_one(
    store: RedisEventStore, time: WatchedTime
) -> None:
    """Whoever acts before has the gap in the bank, and a time that is recorded later harms nobody."""
    games = list(islice(names_in(store, 0, "due"), MOST_AT_ONCE))
    (other,) = islice(names_in(store, 1, "due"), 1)
    put_waiting(store, time, [*games, other])
    catch_up(store)
    time.be_away(60)
    time.beat()
    time.watch(SETTLING / 1000 + SECONDS + 1)
    sweeper = Sweeper(store)
    sweeper.perform(time.now)
    assert types_in(store, games) == {("time_credited",): MOST_AT_ONCE - 1, (): 1}
    assert types_in(store, [other]) == {("time_credited", "time_expired"): 1}
    sweeper.perform(time.now)
    assert types_in(store, games) == {("time_credited", "time_expired"): MOST_AT_ONCE}


def test_a_partition_that_takes_nothing_holds_up_no_other(store: RedisEventStore, time: WatchedTime) -> None:
    """However many of its games have to have time back, those of another partition do not wait for them."""
    put_waiting(store, time, islice(names_in(store, 0, "due"), 2 * MOST_AT_ONCE + 1))
    (game,) = islice(names_in(store, 1, "due"), 1)
    put_waiting(store, time, [game])
    catch_up(store)
    time.be_away(60)
    sweeper = Sweeper(store)
    sweeper.perform(time.now)
    assert types_in(store, [game]) == {("time_credited",): 1}
    store.quarantine.put(0, "for a test")
    time.watch(SETTLING / 1000)
    time.be_away(60)
    sweeper.perform(time.now)
    assert types_in(store, [game])[("time_credited",) * 3] == 1


def test_as_long_as_time_has_to_be_given_back_a_sweep_follows_at_once(
    store: RedisEventStore, time: WatchedTime
) -> None:
    """Whoever acts before has the gap in the bank; a partition that takes nothing is not asked again and again."""
    put_waiting(store, time, islice(names_in(store, 0, "due"), MOST_AT_ONCE + 1))
    catch_up(store)
    time.be_away(60)
    sweeper = Sweeper(store)
    assert sweeper.perform(time.now) == time.now + 1
    store.quarantine.put(0, "for a test")
    assert sweeper.perform(time.now) is None
    store.quarantine.release(0)
    assert sweeper.perform(time.now) != time.now + 1


def test_games_that_cannot_be_served_hold_up_no_other(store: RedisEventStore, time: WatchedTime) -> None:
    """After an outage games may be closed later than their log says: however many wait for that, others are due."""
    untouched = list(islice(names_in(store, 0, "untouched"), 2 * MOST_AT_ONCE))
    for game in untouched:
        put_game(store, game, time.now, close_after=60, seated=1)
    time.be_away(3600)
    sweeper = Sweeper(store)
    sweeper.perform(time.now)
    time.watch(SETTLING / 1000)
    (game,) = islice(names_in(store, 0, "due"), 1)
    put_waiting(store, time, [game])
    catch_up(store)
    for _ in range(SECONDS + 4):
        time.watch(1)
        sweeper.perform(time.now)
    assert types_in(store, untouched) == {(): len(untouched)}
    assert expired(store, [game]) == 1
