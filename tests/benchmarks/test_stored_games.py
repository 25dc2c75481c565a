"""The games in a store are read as they are, whoever's store it is."""

import random

import pytest

from events.store.errors import StoreUnavailable
from events.store.redis.client.opening import connect
from events.store.redis.functions import LIBRARY
from events.store.redis.redis_store import RedisEventStore
from tests.benchmarks.chosen import chosen_game
from tests.benchmarks.stored_games import StoredGames
from tests.benchmarks.test_chosen import MADE, a_game_just_set_up

THEIRS = f"#!lua name={LIBRARY}\nredis.register_function('{LIBRARY}_append', function() return 'theirs' end)"


def test_a_game_is_read_with_its_secret_and_the_functions_of_another_release_stay(
    store: RedisEventStore, redis_url: str
) -> None:
    """Also where they have the name of ours: what is measured is what that release brought."""
    a_game_just_set_up(store)
    store.connection.command("FUNCTION", "LOAD", "REPLACE", THEIRS)
    stored = StoredGames(connect(redis_url))
    try:
        assert stored.read(MADE.game) == store.read(MADE.game)
        assert stored.private(MADE.game) == store.private(MADE.game)
        assert stored.version(MADE.game) == len(stored.read(MADE.game))
        assert chosen_game(stored, MADE, random.Random(1), port=1).steps
        assert stored.functions()[LIBRARY] == THEIRS.encode()
    finally:
        stored.close()
        store.connection.command("FUNCTION", "DELETE", LIBRARY)


def test_a_game_that_is_not_there_has_version_0(store: RedisEventStore, redis_url: str) -> None:
    """And no entries."""
    stored = StoredGames(connect(redis_url))

    assert (stored.version("nowhere"), stored.read("nowhere"), stored.private("nowhere")) == (0, (), {})
    stored.close()


def test_a_store_that_nobody_has_set_up_is_not_ready(store: RedisEventStore, redis_url: str) -> None:
    """Who opens it waits for the service to do so."""
    store.connection.command("FLUSHALL")
    connection = connect(redis_url)

    with pytest.raises(StoreUnavailable, match="not been set up"):
        StoredGames(connection)
    connection.close()
