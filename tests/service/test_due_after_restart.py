"""What is due at a moment is done then, and when its processes were killed before it, once they are back."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.processes import Service
from tests.support.servers import eventually

CLAIM_SECONDS: Final = 3
PATIENCE_SECONDS: Final = 4
SEATS: Final = [{"name": name} for name in ("Ann", "Ben", "Cat")]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service on a folder of its own, with little time for arbiters, not yet started."""
    with Service(tmp_path) as service:
        service.environment["FIELDBOOK_CLAIM_SECONDS"] = str(CLAIM_SECONDS)
        service.environment["FIELDBOOK_BOT_PATIENCE"] = str(PATIENCE_SECONDS)
        yield service


def post(service: Service, path: str, body: Any, token: str) -> Any:
    """The JSON of a POST that is taken."""
    answer = service.api.call("POST", path, body, token=token)
    assert answer.status in {200, 201}, answer.body
    return answer.json


def disputed(service: Service) -> tuple[str, str]:
    """A game with a case that nobody claims, and the token of a seat."""
    made = post(service, "/v1/games", {"system": "classic", "seats": SEATS}, service.key())
    token = made["seats"][0]["token"]
    body = {"version": made["version"], "reason": "mistake", "text": "I meant the other field."}
    post(service, f"/v1/games/{made['game']}/disputes", body, token)
    return made["game"], token


def case_status(service: Service, game: str, token: str) -> str:
    """How the case of a game stands, as the log says it."""
    return str(service.api.call("GET", f"/v1/games/{game}/disputes/1", token=token).json["status"])


def test_a_case_lapses_at_its_moment_whoever_was_killed_before(service: Service) -> None:
    """Nobody asks for it: the timer finds it in the store, first in time, then after a restart."""
    service.start("store", "web", "worker", "projector")
    service.await_ready()
    game, token = disputed(service)
    eventually(lambda: case_status(service, game, token) == "lapsed", seconds=60)

    game, token = disputed(service)
    service.kill("projector")
    service.kill("worker")
    time.sleep(CLAIM_SECONDS + 1)
    assert case_status(service, game, token) == "open"
    service.start("worker", "projector")
    eventually(lambda: case_status(service, game, token) == "lapsed", seconds=60)


def version(service: Service, game: str) -> int:
    """How far a game has come."""
    return int(service.api.call("GET", f"/v1/games/{game}").json["version"])


def test_bots_lose_their_patience_though_they_were_killed_while_they_waited(service: Service) -> None:
    """Since when they wait follows from the log: after a restart they don't begin to wait anew."""
    service.start("store", "web")
    service.await_ready()
    seats = [{"name": f"Bot {each}", "kind": "bot", "bot": "greedy"} for each in range(2)]
    body = {"system": "classic", "seats": [*seats, {"name": "Ann"}]}
    game = post(service, "/v1/games", body, service.key())["game"]
    begun = version(service, game)
    service.start("bots")
    eventually(lambda: version(service, game) > begun, seconds=60)
    time.sleep(1)
    waiting = version(service, game)
    service.kill("bots")
    time.sleep(PATIENCE_SECONDS)
    assert version(service, game) == waiting, "the bots wait for Ann, and none of them is there"
    service.start("bots")
    eventually(lambda: version(service, game) > waiting, seconds=60)
