"""The embedded store has so much memory: it is started with that, and refuses writes beyond it while reads go on."""

import os
from pathlib import Path

import pytest

from events.store.errors import StoreRefused
from events.store.redis.redis_store import RedisEventStore
from service.http.context.services import EXTENSION
from tests.service.in_process import NAMES, InProcess
from tests.support.servers import RunningStore

pytestmark = pytest.mark.process
SMALL = 8 * 1024 * 1024
THREE = [{"name": name} for name in NAMES[:3]]
FILLER = "{filler}:"
GIVEN_BACK = 256 * 1024
"""Bytes that the server's buffers may need no longer, a while after they were filled."""


def maxmemory(store: RedisEventStore) -> int:
    """What the server says of itself."""
    return int(store.connection.command("CONFIG", "GET", "maxmemory")[1])


def fill(store: RedisEventStore) -> None:
    """Write until the server takes nothing more, then or a while later."""
    for size in (65_536, 1_024, 16):
        with pytest.raises(StoreRefused, match="out of memory"):
            _write(store, size)
    store.connection.command("CONFIG", "SET", "maxmemory", str(SMALL - GIVEN_BACK))


def _write(store: RedisEventStore, size: int) -> None:
    for number in range(SMALL // size):
        store.connection.command("SET", f"{FILLER}{size}:{number}", "x" * size)


def test_it_is_half_of_the_machines_unless_something_else_is_asked_for(tmp_path: Path) -> None:
    """`FIELDBOOK_STORE_MEMORY`; `off` bounds nothing."""
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    for memory, bytes_ in (("", half), ("8mb", SMALL), ("off", 0)):
        with RunningStore(tmp_path / f"store-{memory}", memory=memory) as server:
            store = RedisEventStore.connect(server.url)
            assert maxmemory(store) == bytes_
            assert store.connection.command("CONFIG", "GET", "maxmemory-policy")[1] == b"noeviction"
            store.close()


def test_a_full_store_refuses_to_write_and_everything_can_be_read(tmp_path: Path) -> None:
    """503 `store_refused` for what would be written; with room again it is written, and nothing was lost."""
    with RunningStore(tmp_path, memory="8mb") as server:
        store = RedisEventStore.connect(server.url)
        api = InProcess(store)
        try:
            party = api.people()
            path = f"/v1/games/{party.game}"
            before = api.get(path, party.tokens[0])
            fill(store)
            sent = api.call("POST", f"{path}/commands", {"type": "plant", "field": 0}, token=party.tokens[0])
            assert (sent.status, sent.json["code"]) == (503, "store_refused")
            assert int(sent.headers["retry-after"]) > 0
            found = api.app.extensions[EXTENSION]
            found.memory_filled._until = 0.0  # noqa: SLF001 - as a second later
            new = api.call("POST", "/v1/games", {"system": "classic", "seats": THREE}, token=api.key)
            assert (new.status, new.json["code"]) == (503, "store_nearly_full")
            assert api.get(path, party.tokens[0]) == before
            for beside in ("/events", "/commands", "/annotations", "/catalogue"):
                assert api.call("GET", path + beside, token=party.tokens[0]).status == 200, beside
            assert api.call("GET", "/v1/games").status == 200
            store.connection.command("DEL", *store.connection.command("KEYS", f"{FILLER}*"))
            assert party.send(0, {"type": "plant", "field": 0}).status == 200
        finally:
            api.close()
            store.close()
