"""The floor does what its description says: it knows tokens, and appends."""

import random

import msgspec

from benchmarks.chosen import SetUp, recorded_commands
from benchmarks.floor import Batch, create_floor, set_up_floor
from events.memory_store import MemoryEventStore
from events.redis_store import RedisEventStore
from tests.benchmarks.test_chosen import MADE, a_game_just_set_up


def test_a_command_appends_the_next_events_of_a_game_even_when_another_process_was_faster(
    store: RedisEventStore,
) -> None:
    """Two applications stand for two processes; whoever shows no token appends nothing."""
    other = MemoryEventStore()
    a_game_just_set_up(other)
    batches = tuple(Batch(tuple(each)) for each in recorded_commands(other, MADE, random.Random(1)))
    token = f"fbs_{'0' * 40}"
    set_up_floor(store, [SetUp("floor", (token,))], batches)
    begun = store.head("floor")
    assert begun is not None
    first, second = (create_floor(store, batches).test_client() for _ in range(2))
    body = msgspec.json.encode({"type": "plant"})

    answers = [
        client.post("/v1/games/floor/commands", data=body, headers={"Authorization": f"Bearer {token}"})
        for client in (first, second, first, second, second, first)
    ]

    refused = first.post("/v1/games/floor/commands", data=body, headers={"Authorization": "Bearer fbs_none"})
    assert refused.status_code == 401
    assert [answer.status_code for answer in answers] == [200] * 6
    head = store.head("floor")
    assert head is not None
    assert head.version > begun.version
    assert answers[-1].json is not None
    assert answers[-1].json["version"] == head.version
