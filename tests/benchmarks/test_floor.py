"""The floors do what their descriptions say: they know tokens, and append."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from events.store.redis.redis_store import RedisEventStore
from service.http.messages.begun import Begun
from service.http.short_way.hot_request import HotRequest
from service.http.short_way.looking import Patience
from service.http.short_way.short_way import ShortAnswer
from tests.benchmarks import floor as floors
from tests.benchmarks.chosen import SetUp, recorded_commands
from tests.benchmarks.floor import FLOOR, BareFloor, Batch, Floor, Kind, WholeFloor, set_up_floor
from tests.benchmarks.test_chosen import MADE, a_game_just_set_up
from tests.service.in_process import InProcess
from tests.support.memory_store import MemoryEventStore

TOKEN = f"fbs_{'0' * 40}"
PLANT = msgspec.json.encode({"type": "plant", "field": 0})


def sent(token: str) -> HotRequest:
    """A command."""
    path = "/v1/games/floor/commands"
    return HotRequest("send", "floor", path, {b"authorization": f"Bearer {token}".encode()}, "127.0.0.1")


@pytest.mark.parametrize("kind", ["bare", "whole"])
def test_a_command_appends_the_next_events_of_a_game_even_when_another_process_was_faster(
    store: RedisEventStore, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """Two floors stand for two processes; whoever shows no token appends nothing."""
    monkeypatch.setattr(floors, "open_store", lambda _settings: store)
    other = MemoryEventStore()
    a_game_just_set_up(other)
    batches = tuple(Batch(tuple(each)) for each in recorded_commands(other, MADE, random.Random(1)))
    floor = Floor(kind, (SetUp("floor", (TOKEN,)),), batches)
    set_up_floor(store, floor)
    begun = store.head("floor")
    assert begun is not None

    async def answers() -> list[ShortAnswer | Begun]:
        with ThreadPoolExecutor(2) as threads:
            applications = [InProcess(store).app for _ in range(2)]
            for each in applications:
                each.extensions[FLOOR] = floor
            made = BareFloor if kind == "bare" else WholeFloor
            first, second = (made(each, threads) for each in applications)
            order = (first, second, first, second, second, first)
            patience = Patience(asyncio.Event(), lambda: False)
            found = [await each.answer(sent(TOKEN), PLANT, patience) for each in order]
            found.append(await first.answer(sent("fbs_none"), PLANT, patience))
            first.close()
            second.close()
            return found

    *accepted, refused = asyncio.run(answers())
    assert isinstance(refused, Begun)
    head = store.head("floor")
    assert head is not None
    assert head.version > begun.version
    told = [msgspec.json.decode(each.body)["version"] for each in accepted if isinstance(each, ShortAnswer)]
    assert len(told) == len(accepted)
    assert told == sorted(told)
    assert told[-1] == head.version
