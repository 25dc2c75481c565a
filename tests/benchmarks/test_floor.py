"""The floors do what their descriptions say: they know tokens, and append."""

import random
from collections.abc import Callable

import msgspec
import pytest
from flask import Flask

from events.store.redis.redis_store import RedisEventStore
from tests.benchmarks.chosen import SetUp, recorded_commands
from tests.benchmarks.floor import Batch, create_floor, set_up_floor, without_rules
from tests.benchmarks.test_chosen import MADE, a_game_just_set_up
from tests.service.in_process import InProcess
from tests.support.memory_store import MemoryEventStore


def bare(store: RedisEventStore, batches: tuple[Batch, ...]) -> Flask:
    """The bare floor."""
    return create_floor(store, batches)


def whole(store: RedisEventStore, batches: tuple[Batch, ...]) -> Flask:
    """The whole floor."""
    return without_rules(InProcess(store).app, store, batches)


def sent(token: str) -> dict[str, str]:
    """The headers of a command."""
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


@pytest.mark.parametrize(("made", "status"), [(bare, 401), (whole, 403)])
def test_a_command_appends_the_next_events_of_a_game_even_when_another_process_was_faster(
    store: RedisEventStore, made: Callable[[RedisEventStore, tuple[Batch, ...]], Flask], status: int
) -> None:
    """Two applications stand for two processes; whoever shows no token appends nothing."""
    other = MemoryEventStore()
    a_game_just_set_up(other)
    batches = tuple(Batch(tuple(each)) for each in recorded_commands(other, MADE, random.Random(1)))
    token = f"fbs_{'0' * 40}"
    set_up_floor(store, [SetUp("floor", (token,))], batches)
    begun = store.head("floor")
    assert begun is not None
    first, second = (made(store, batches).test_client() for _ in range(2))
    body = msgspec.json.encode({"type": "plant"})

    answers = [
        client.post("/v1/games/floor/commands", data=body, headers=sent(token))
        for client in (first, second, first, second, second, first)
    ]

    refused = first.post("/v1/games/floor/commands", data=body, headers=sent("fbs_none"))
    assert refused.status_code == status
    assert [answer.status_code for answer in answers] == [200] * 6
    head = store.head("floor")
    assert head is not None
    assert head.version > begun.version
    assert answers[-1].json is not None
    assert answers[-1].json["version"] == head.version
