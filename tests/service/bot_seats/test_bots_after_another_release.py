"""Bots whose place another release has moved on, past games that it could not read: they are not left alone."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.bot_seats import left_alone
from service.bot_seats.bot_players import BotPlayers
from service.projections.progress import BOTS
from service.storage.checkpoints import Checkpoints
from tests.service.bot_seats.test_bots_after_a_loss import SEATS, bots_play, is_played
from tests.service.in_process import InProcess
from tests.service.sweeping import catch_up
from tests.support.http_play import BESIDE_THE_GAME, CHATTER, Party
from tests.support.servers import eventually
from tests.support.seventh_system import FALLOW, fallow


@contextmanager
def next_release() -> Iterator[None]:
    """This process is of the next release for a while: it has a system more, and its bots know it."""
    with fallow(), pytest.MonkeyPatch.context() as changed:
        changed.setattr(left_alone, "readable_here", lambda: "the next release")
        yield


def game_of_the_next_release(api: InProcess) -> Party:
    """A game of a system that this release does not have, in which bots have their turns first."""
    with next_release():
        made = api.create([*SEATS, {"name": "Ada"}], system=FALLOW.key)
    tokens = [seat.get("token", "") for seat in made["seats"]]
    return Party(api, made["game"], tokens, random.Random(7))


def settle(api: InProcess, partition: int) -> None:
    """Let this release's bots do what they can, until their place is at the end of the feed."""
    with bots_play(api.store):
        at = Checkpoints(api.store)
        eventually(lambda: at.checkpoint(partition, BOTS) == api.store.feed_end(partition), seconds=60)


def going_on(party: Party) -> Any:
    """A command of the person by which the game goes on."""
    listed = party.legal(2)["commands"]
    return next(
        each for each in listed if each["type"] not in CHATTER | BESIDE_THE_GAME and "form" not in each
    )


@pytest.mark.parametrize("listed", [False, True], ids=["not yet listed", "listed"])
def test_a_game_that_the_release_before_could_not_read_is_played_by_the_next_one(
    api: InProcess, store: RedisEventStore, *, listed: bool
) -> None:
    """Whether the list of games knows of it or not; nothing else has happened in it."""
    party = game_of_the_next_release(api)
    settle(api, store.partition_of(party.game))
    if listed:
        catch_up(api)

    with next_release(), bots_play(store):
        eventually(lambda: is_played(party), seconds=60)


def test_after_the_way_back_and_forward_again_its_bots_go_on(api: InProcess, store: RedisEventStore) -> None:
    """The next release has played, the one before has moved the place on, and the next one is back."""
    party = game_of_the_next_release(api)
    partition = store.partition_of(party.game)
    with next_release():
        settle(api, partition)
        assert is_played(party)
        while is_played(party):
            party.send(2, going_on(party))
    settle(api, partition)

    with next_release(), bots_play(store):
        eventually(lambda: is_played(party), seconds=60)


def test_who_can_read_the_same_begins_where_the_place_is(api: InProcess, store: RedisEventStore) -> None:
    """A restart looks at no game again."""
    party = api.create([*SEATS, {"name": "Ada"}])
    partition = store.partition_of(party["game"])
    settle(api, partition)

    bots = BotPlayers(store)
    bots.begin(range(store.partitions))

    assert bots.position(partition) == store.feed_end(partition)
    assert bots.restless == ()
