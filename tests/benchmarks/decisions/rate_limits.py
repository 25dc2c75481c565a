"""`python -m tests.benchmarks.decisions.rate_limits`: what counting a request costs, leased or asked each."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from events.store.redis.redis_store import RedisEventStore
from service.access.keys import SCOPES
from service.access.rate_limits import Quota, RateLimits
from service.access.store import Keys, RequestCounts
from service.http.app import create_app
from service.verification.signing_keys import SigningKeys
from tests.support.servers import RunningStore

REQUESTS = 3_000


def microseconds(once: Callable[[], object], times: int) -> float:
    """How long it takes once, on average."""
    began = time.perf_counter()
    for _ in range(times):
        once()
    return (time.perf_counter() - began) / times * 1e6


def command_of_a_game(store: RedisEventStore, folder: Path) -> Callable[[], object]:
    """What sends a command that is always legal, without limits."""
    client = create_app(store, "fsync", SigningKeys(folder, "bench.test/log")).test_client()
    key = Keys(store).create("bench", SCOPES, 1)
    body = {"system": "classic", "seats": [{"name": name} for name in ("Ann", "Ben", "Cat")]}
    made: Any = client.post("/v1/games", json=body, headers={"Authorization": f"Bearer {key}"}).json
    path, token = f"/v1/games/{made['game']}/commands", made["seats"][0]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    return lambda: client.post(path, json={"type": "say", "text": "hello"}, headers=headers)


def main() -> None:
    """Measure and print."""
    with TemporaryDirectory() as name, RunningStore(Path(name), durability="fsync") as server:
        store = RedisEventStore.connect(server.url)
        leased = RateLimits(RequestCounts(store))
        each = RateLimits(RequestCounts(store), {"commands": {"seat": Quota(19, 3600)}})
        asked = iter(range(REQUESTS))
        command = command_of_a_game(store, Path(name))
        measured = {
            "a question each": microseconds(
                lambda: each.take("commands", "seat", str(next(asked))), REQUESTS
            ),
            "a lease for many": microseconds(lambda: leased.take("commands", "seat", "ann"), REQUESTS),
            "a command": microseconds(command, REQUESTS // 10),
        }
        for what, took in measured.items():
            sys.stdout.write(f"{what:<20}{took:8.0f} us\n")
        store.close()


if __name__ == "__main__":
    main()
