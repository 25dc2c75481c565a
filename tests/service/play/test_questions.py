"""How often the store is asked for a command: each question may wait for a write to the disk."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pipeline import Pipeline
from events.store.redis.client.pool import Argument
from events.store.redis.redis_store import RedisEventStore
from tests.service.conftest import SHORT_WAY, WAYS
from tests.service.in_process import InProcess
from tests.support.http_play import Party

SAY = {"type": "say", "text": "hello"}


class CountedPipeline(Pipeline):
    """A pipeline that counts its questions with those of its connection."""

    def __init__(self, url: str, counted: "Counted") -> None:
        """Count there."""
        super().__init__(url)
        self._counted = counted

    async def ask(self, *commands: Sequence[Argument]) -> list[Any]:
        """One question, whatever it is."""
        self._counted.asked += 1
        return await super().ask(*commands)


class Counted(RedisConnection):
    """A connection that counts its questions."""

    asked = 0

    def __init__(self, url: str) -> None:
        """Connect to this address."""
        super().__init__(url)
        self._address = url

    def pipeline(self) -> Pipeline:
        """A pipeline that counts here too."""
        return CountedPipeline(self._address, self)

    def commands(self, *commands: Sequence[Argument], repeat: bool = False) -> list[Any]:
        """One question, whatever it is."""
        self.asked += 1
        return super().commands(*commands, repeat=repeat)


@pytest.fixture
def connection(redis_url: str, store: RedisEventStore) -> Iterator[Counted]:
    """The connection of one process to the store of this test."""
    store.ping()
    connection = Counted(redis_url)
    yield connection
    connection.close()


@pytest.fixture(params=WAYS)
def processes(
    connection: Counted, store: RedisEventStore, request: pytest.FixtureRequest
) -> Iterator[tuple[InProcess, InProcess, Party]]:
    """Yield one that counts and knows the game, another one on the same store, and the game; on both ways."""
    with closing(InProcess(RedisEventStore(connection))) as api, closing(InProcess(store)) as elsewhere:
        api.goes_short = elsewhere.goes_short = request.param == SHORT_WAY
        party = api.people()
        asked(connection, api, party)
        yield api, elsewhere, party


def asked(connection: Counted, api: InProcess, party: Party, body: Any = SAY) -> int:
    """The questions of one command that is accepted, in a process that knows the game, the seat and its presence."""
    path = f"/v1/games/{party.game}/commands"
    before = connection.asked
    assert api.call("POST", path, body, token=party.tokens[0]).status == 200
    return connection.asked - before


def test_a_command_asks_once(connection: Counted, processes: tuple[InProcess, InProcess, Party]) -> None:
    """The append proves the token, and says whether the command was known."""
    api, _, party = processes
    assert [asked(connection, api, party) for _ in range(3)] == [1, 1, 1]
    assert api.short_way.answered == (3 if api.goes_short else 0)


def test_a_command_after_one_of_another_process_asks_twice(
    connection: Counted, processes: tuple[InProcess, InProcess, Party]
) -> None:
    """The first append is answered with what was missed, and the second one goes on from there."""
    api, elsewhere, party = processes
    for _ in range(3):
        sent = elsewhere.call("POST", f"/v1/games/{party.game}/commands", SAY, token=party.tokens[1])
        assert sent.status == 200
        assert asked(connection, api, party) == 2


def test_a_command_that_only_another_process_has_made_legal_asks_twice(
    connection: Counted, processes: tuple[InProcess, InProcess, Party]
) -> None:
    """What would be refused by what is known is looked at again, by one question, and then appended."""
    api, elsewhere, party = processes
    plant = {"type": "plant", "field": 0}
    path = f"/v1/games/{party.game}/commands"
    active = party.tokens[0]
    assert elsewhere.call("POST", path, plant, token=active).status == 200
    assert asked(connection, api, party, {"type": "reveal"}) == 2
