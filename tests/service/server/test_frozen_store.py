"""A store that neither answers nor hangs up: every request is told so soon, and nothing is acknowledged falsely."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.http_play import events_of
from tests.support.processes import Service
from tests.support.servers import eventually

SECONDS: Final = 3.0
ROUTES: Final = (
    ("GET", "/readyz"),
    ("GET", "/v1/games"),
    ("GET", "/v1/games/{game}"),
    ("GET", "/v1/games/{game}?at=1"),
    ("GET", "/v1/games/{game}/commands"),
    ("GET", "/v1/games/{game}/events"),
    ("GET", "/v1/games/{game}/record"),
    ("GET", "/v1/games/{game}/validations"),
    ("GET", "/v1/games/{game}/annotations"),
    ("GET", "/v1/games/{game}/disputes"),
    ("GET", "/v1/keys"),
    ("GET", "/v1/webhooks"),
    ("GET", "/v1/disputes"),
    ("POST", "/v1/games"),
    ("POST", "/v1/games/{game}/commands"),
)
BODIES: Final[dict[str, Any]] = {
    "/v1/games": {"system": "classic", "seats": [{"name": name} for name in "ABC"]},
    "/v1/games/{game}/commands": {"type": "say", "text": "Is anybody there?"},
}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a store with a web process in front of it."""
    with Service(tmp_path) as service:
        service.start("store", "web")
        service.await_ready()
        yield service


def test_every_request_is_answered_in_time_while_the_store_is_frozen(service: Service) -> None:
    """With 503; and the command that got no better answer counts once when it is sent again."""
    key = service.key()
    made = service.api.call("POST", "/v1/games", BODIES["/v1/games"], token=key).json
    seat = made["seats"][0]["token"]

    def call(route: tuple[str, str]) -> tuple[str, int, str, float]:
        method, path = route
        began = time.monotonic()
        answer = service.api.call(
            method,
            path.replace("{game}", made["game"]),
            BODIES[path] if method == "POST" else None,
            token=seat if "{game}" in path else key,
            headers={"Idempotency-Key": '"once"'} if method == "POST" else {},
        )
        return f"{method} {path}", answer.status, answer.json["code"], time.monotonic() - began

    for route in ROUTES:
        if route[0] == "GET":
            service.api.call(route[0], route[1].replace("{game}", made["game"]), token=key)
    service.signal("store", signal.SIGSTOP)
    try:
        began = time.monotonic()
        scrape = service.api.call("GET", "/metrics")
        scraped = time.monotonic() - began
        with ThreadPoolExecutor(len(ROUTES)) as clients:
            found = list(clients.map(call, ROUTES))
    finally:
        service.signal("store", signal.SIGCONT)

    assert b"fieldbook_store_up 0.0" in scrape.body
    assert scraped < SECONDS
    assert not [each for each in found if each[1] != 503]
    assert not [each for each in found if each[3] > SECONDS]
    assert found[-1][2] == "store_unavailable"

    eventually(service.is_ready, seconds=60)
    command = ROUTES[-1][1]
    again = service.api.call(
        "POST",
        command.replace("{game}", made["game"]),
        BODIES[command],
        token=seat,
        headers={"Idempotency-Key": '"once"'},
    )
    assert again.status in {200, 201}
    said = [each for each in events_of(service.api, made["game"]) if each["entry"]["type"] == "talked"]
    assert len(said) == 1
