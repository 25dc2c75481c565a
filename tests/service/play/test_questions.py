"""How often the store is asked for a command: each question may wait for a write to the disk."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pool import Argument
from events.store.redis.redis_store import RedisEventStore
from tests.service.in_process import InProcess
from tests.support.http_play import Party

SAY = {"type": "say", "text": "hello"}


class Counted(RedisConnection):
    """A connection that counts its questions."""

    asked = 0

    def commands(self, *commands: Sequence[Argument]) -> list[Any]:
        """One question, whatever it is."""
        self.asked += 1
        return super().commands(*commands)


@pytest.fixture
def connection(redis_url: str, store: RedisEventStore) -> Iterator[Counted]:
    """The connection of one process to the store of this test."""
    store.ping()
    connection = Counted(redis_url)
    yield connection
    connection.close()


def asked(connection: Counted, api: InProcess, party: Party, body: Any = SAY) -> int:
    """The questions of one command that is accepted, in a process that knows the game, the seat and its presence."""
    path = f"/v1/games/{party.game}/commands"
    before = connection.asked
    assert api.call("POST", path, body, token=party.tokens[0]).status == 200
    return connection.asked - before


def two_processes(connection: Counted, store: RedisEventStore) -> tuple[InProcess, InProcess, Party]:
    """One that counts and knows the game, another one on the same store, and the game."""
    api, elsewhere = InProcess(RedisEventStore(connection)), InProcess(store)
    party = api.people()
    asked(connection, api, party)
    return api, elsewhere, party


def test_a_command_asks_once(connection: Counted) -> None:
    """The append proves the token, and says whether the command was known."""
    api = InProcess(RedisEventStore(connection))
    party = api.people()
    asked(connection, api, party)
    assert [asked(connection, api, party) for _ in range(3)] == [1, 1, 1]


def test_a_command_after_one_of_another_process_asks_twice(
    connection: Counted, store: RedisEventStore
) -> None:
    """The first append is answered with what was missed, and the second one goes on from there."""
    api, elsewhere, party = two_processes(connection, store)
    for _ in range(3):
        sent = elsewhere.call("POST", f"/v1/games/{party.game}/commands", SAY, token=party.tokens[1])
        assert sent.status == 200
        assert asked(connection, api, party) == 2


def test_a_command_that_only_another_process_has_made_legal_asks_twice(
    connection: Counted, store: RedisEventStore
) -> None:
    """What would be refused by what is known is looked at again, by one question, and then appended."""
    api, elsewhere, party = two_processes(connection, store)
    plant = {"type": "plant", "field": 0}
    path = f"/v1/games/{party.game}/commands"
    active = party.tokens[0]
    assert elsewhere.call("POST", path, plant, token=active).status == 200
    assert asked(connection, api, party, {"type": "reveal"}) == 2
