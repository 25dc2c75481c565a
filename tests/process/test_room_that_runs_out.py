"""Memory and disk that run out: metrics, and `degraded` in `/readyz` before anything fails.

Source: issue 43 (`/readyz` was ready at 99 % full), and docs/operating.md, "Is it well?".
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import Service
from tests.support.servers import eventually

LIMIT_BYTES = 64 << 20
FILLER_BYTES = 30 << 20
"""So much that what connections use makes no difference."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run a service that wants more disk space than there is."""
    with Service(tmp_path_factory.mktemp("small")) as service:
        service.environment |= {"FIELDBOOK_STORE_MEMORY": "64mb", "WEB_PROCESSES": "1"}
        service.start("store", "web", FIELDBOOK_DISK_RESERVE="999999gb")
        service.await_ready()
        yield service


def ready(service: Service) -> tuple[int, dict[str, Any]]:
    """Return status and document of `/readyz`."""
    answer = service.api.call("GET", "/readyz")
    return answer.status, answer.json


def metric(service: Service, name: str) -> float:
    """Return the value of a metric without labels."""
    found = re.search(rf"^{name} (\S+)$", service.api.call("GET", "/metrics").body.decode(), re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def test_a_disk_that_runs_out_is_degraded_with_a_reason(small: Service) -> None:
    """The answer is 200, because nothing fails yet; it says how much is left, and what to do."""
    status, document = ready(small)

    assert (status, document["status"]) == (200, "degraded")
    assert "disk" in document["degraded"]
    assert 0 < document["disk"]["free"] <= document["disk"]["size"] < document["disk"]["reserve"]
    (reason,) = document["reasons"]
    assert "less than FIELDBOOK_DISK_RESERVE" in reason
    assert "Free space" in reason


def test_a_memory_that_runs_out_is_degraded_and_a_full_one_not_ready(small: Service) -> None:
    """From nine tenths of its limit on, where no new games are set up; at the limit it is 503."""
    store = small.open_store()
    command = store.connection.command
    try:
        command("SET", "filler", b"x" * FILLER_BYTES)
        eventually(lambda: ready(small)[1]["memory"]["used"] > FILLER_BYTES)
        assert "memory" not in ready(small)[1]["degraded"]

        command("CONFIG", "SET", "maxmemory", int(ready(small)[1]["memory"]["used"] / 0.94))
        eventually(lambda: "memory" in ready(small)[1]["degraded"])
        status, document = ready(small)
        assert (status, document["status"]) == (200, "degraded")
        assert any("memory limit" in each for each in document["reasons"])

        command("CONFIG", "SET", "maxmemory", 1)
        eventually(lambda: ready(small)[0] == 503)
    finally:
        command("CONFIG", "SET", "maxmemory", LIMIT_BYTES)
        command("DEL", "filler")
        store.close()
    eventually(lambda: "memory" not in ready(small)[1].get("degraded", ["memory"]))


def test_both_are_metrics(small: Service) -> None:
    """In bytes, with the limits that the alerts compare them with."""
    assert metric(small, "fieldbook_store_memory_limit_bytes") == LIMIT_BYTES
    assert 0 < metric(small, "fieldbook_store_memory_bytes") < LIMIT_BYTES
    assert 0 < metric(small, "fieldbook_disk_free_bytes") <= metric(small, "fieldbook_disk_size_bytes")
    assert metric(small, "fieldbook_disk_reserve_bytes") == 999999 << 30


def test_without_a_reserve_the_disk_is_never_short(tmp_path: Path) -> None:
    """`FIELDBOOK_DISK_RESERVE=off`."""
    with Service(tmp_path) as service:
        service.start("store", "web", FIELDBOOK_DISK_RESERVE="off", FIELDBOOK_STORE_MEMORY="off")
        service.await_ready()
        _, document = ready(service)
        assert (document["status"], document["reasons"]) == ("ready", [])
        assert (document["disk"]["reserve"], document["memory"]["limit"]) == (None, None)
