"""Bots whose store has come back older than it was: what they have read is not there any more, and they play on."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from events.store.partitions import partition_tag
from events.store.redis.redis_store import RedisEventStore
from service.bot_seats.bot_players import BotPlayers
from service.projections.progress import BOTS
from service.storage.checkpoints import Checkpoints
from tests.service.in_process import InProcess
from tests.service.play.test_lost_history import say
from tests.support.http_play import Party
from tests.support.rolled_back import Moment
from tests.support.servers import eventually

SEATS = [{"name": f"Rob {number}", "kind": "bot", "bot": "random"} for number in range(2)]
WORDS = 15


@contextmanager
def bots_play(store: RedisEventStore) -> Iterator[None]:
    """The bots of all games, as long as this lasts."""
    stopping = Event()
    bots = Thread(target=BotPlayers(store).run, args=(stopping,))
    bots.start()
    try:
        yield
    finally:
        stopping.set()
        bots.join()


def game_begun_by_a_bot(api: InProcess) -> Party:
    """A game in which two bots have their turns before the first person."""
    made = api.create([*SEATS, {"name": "Ada"}])
    tokens = [seat.get("token", "") for seat in made["seats"]]
    party = Party(api, made["game"], tokens, random.Random(7))
    assert not is_played(party)
    return party


def is_played(party: Party) -> bool:
    """Whether the bots have done all that they can: the person is waited for."""
    waiting: list[int] = party.legal(2)["waiting_for"]
    return waiting == [2]


def test_bots_that_have_read_what_is_lost_look_again_under_load(
    api: InProcess, store: RedisEventStore
) -> None:
    """Their place in the feed is ahead of it, as when one server of a cluster fails; others play all the time."""
    party = game_begun_by_a_bot(api)
    busy = next(each for each in iter(api.people, None) if elsewhere(store, each, party))
    partition = store.partition_of(party.game)
    before = Moment(store.connection, f"{partition_tag(partition)}*")
    with bots_play(store):
        eventually(lambda: is_played(party), seconds=60)
        for word in range(WORDS):
            say(party, f"word {word}", seat=2)
        checkpoints = Checkpoints(store)
        eventually(lambda: checkpoints.checkpoint(partition, BOTS) == store.feed_end(partition), seconds=60)
        before.return_to()

        def others_play_and_so_do_they() -> bool:
            assert say(busy, "we go on").status == 200
            return is_played(party)

        eventually(others_play_and_so_do_they, seconds=60)


def elsewhere(store: RedisEventStore, one: Party, other: Party) -> bool:
    """Whether two games are in different partitions."""
    return store.partition_of(one.game) != store.partition_of(other.game)


def test_a_checkpoint_ahead_of_its_feed_skips_nothing(api: InProcess, store: RedisEventStore) -> None:
    """All games of the partition are looked at again, and the checkpoint goes back to what there is."""
    party = game_begun_by_a_bot(api)
    partition = store.partition_of(party.game)
    checkpoints = Checkpoints(store)
    checkpoints.project(partition, BOTS, 0, store.feed_end(partition) + 1000, ())

    with bots_play(store):
        eventually(lambda: is_played(party), seconds=60)
        eventually(lambda: checkpoints.checkpoint(partition, BOTS) == store.feed_end(partition), seconds=60)
