"""Fixtures of the service's tests."""

from collections.abc import Iterator
from typing import Final

import pytest
import redis
from flask import Flask

from events.store.redis.redis_store import RedisEventStore
from service.jobs import jobs
from tests.service.in_process import InProcess

_IDLE: Final[list[Flask]] = []
"""Applications that no test uses now."""
SHORT_WAY: Final = "short way"
WAYS: Final = (SHORT_WAY, "long way")
"""How commands may go: a file of tests that says `BOTH_WAYS = True` has both ways keep the same promises."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of such a file on both ways."""
    if getattr(metafunc.module, "BOTH_WAYS", False) and "api" in metafunc.fixturenames:
        metafunc.parametrize("api", WAYS, indirect=True)


@pytest.fixture
def api(store: RedisEventStore, request: pytest.FixtureRequest) -> Iterator[InProcess]:
    """Yield the application on a fresh store, and stop its listening before the store is closed."""
    application = InProcess(store, app=_IDLE.pop() if _IDLE else None)
    application.goes_short = getattr(request, "param", SHORT_WAY) == SHORT_WAY
    yield application
    application.close()
    _IDLE.append(application.app)


@pytest.fixture
def queue(
    redis_url: str, store_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[redis.Redis]:
    """Yield a client of the queue's server, with the environment of a worker."""
    for name, value in store_environment.items():
        if name.startswith("FIELDBOOK_"):
            monkeypatch.setenv(name, value)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.delenv("QUEUE_REDIS_URL", raising=False)
    jobs.forget_connections()
    client = redis.Redis.from_url(redis_url)
    yield client
    client.close()
