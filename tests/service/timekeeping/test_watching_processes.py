"""The time is watched by a real projector: alone, killed and back, and stopped as planned."""

import os
import signal
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from service.platform.clock import now_milliseconds
from service.storage.life_marks import LifeMarks
from tests.support.http_play import events_of
from tests.support.processes import Service, descendants
from tests.support.servers import eventually

CLOCK: Final = {"bank": 0, "increment": 0, "cap": 3, "answer": 3, "grace": 0}
PATIENT: Final = CLOCK | {"cap": 8, "answer": 8}
SEATS: Final = [{"name": name} for name in ("Ann", "Ben", "Cat")]
LATEST: Final = 5000
"""Milliseconds after it was due within which an expiry is recorded."""
AWAY_SECONDS: Final = 12


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service on a folder of its own, not yet started."""
    with Service(tmp_path) as service:
        yield service


def await_watching(service: Service) -> None:
    """Wait until the service is ready, and its time is watched."""
    service.await_ready()
    store = service.open_store()
    try:
        marks, last = LifeMarks(store), store.partitions - 1
        eventually(lambda: marks.look(last).is_known_at(now_milliseconds()), seconds=60)
    finally:
        store.close()


def create(service: Service, key: str, clock: Any) -> tuple[str, list[str]]:
    """A game by this clock, and its seats' tokens."""
    body = {"system": "classic", "seats": SEATS, "clock": clock}
    answer = service.api.call("POST", "/v1/games", body, token=key)
    assert answer.status == 201, answer.body
    return answer.json["game"], [each["token"] for each in answer.json["seats"]]


def found(service: Service, game: str) -> list[Any]:
    """What the clock has brought about in a game."""
    entries = [each["entry"] for each in events_of(service.api, game)]
    return [each for each in entries if each["type"] in {"time_expired", "time_credited"}]


def test_a_projector_alone_records_what_is_over_in_time(service: Service) -> None:
    """Nobody asks for anything; a second projector beside it does no harm."""
    service.start("store", "web", "projector")
    await_watching(service)
    with service.another("projector"):
        key = service.key()
        games = [create(service, key, CLOCK)[0] for _ in range(10)]
        eventually(lambda: all(len(found(service, game)) >= 2 for game in games), seconds=60)
        for game in games:
            entries = found(service, game)
            assert {each["type"] for each in entries} == {"time_expired"}
            assert all(0 <= each["at"] - each["data"]["deadline"] <= LATEST for each in entries)
            waits = [(each["data"]["seat"], each["data"]["deadline"]) for each in entries]
            assert len(waits) == len(set(waits))


def test_a_killed_projector_costs_nobody_time(service: Service) -> None:
    """While it is away nothing is over; back again, it gives back what was lost before anything expires."""
    service.start("store", "web", "projector")
    await_watching(service)
    game, tokens = create(service, service.key(), PATIENT)
    service.kill("projector")
    time.sleep(AWAY_SECONDS)
    answer = service.api.call("POST", f"/v1/games/{game}/expiries", token=tokens[1])
    assert (answer.status, answer.json["code"]) == (503, "time_uncertain")
    assert found(service, game) == []
    service.start("projector")
    eventually(lambda: "time_expired" in {each["type"] for each in found(service, game)}, seconds=90)
    entries = found(service, game)
    expired = next(each for each in entries if each["type"] == "time_expired")
    given_back = [each["data"] for each in entries[: entries.index(expired)]]
    assert {each["reason"] for each in given_back} == {"outage"}
    assert all(one["until"] == other["since"] for one, other in pairwise(given_back))
    assert given_back[-1]["until"] - given_back[0]["since"] >= AWAY_SECONDS * 1000
    assert expired["data"]["seat"] == 0
    assert expired["data"]["deadline"] >= given_back[-1]["until"]


def test_a_planned_stop_is_maintenance(service: Service) -> None:
    """Of everything at once, as an operator stops it; the games go on where they stood."""
    service.start("up")
    await_watching(service)
    key = (service.folder / "data" / "first-key").read_text().strip()
    game, tokens = create(service, key, PATIENT)
    service.stop("up")
    time.sleep(AWAY_SECONDS)
    service.start("up")
    await_watching(service)
    eventually(lambda: bool(found(service, game)), seconds=90)
    first = found(service, game)[0]
    assert (first["type"], first["data"]["reason"]) == ("time_credited", "maintenance")
    assert service.api.call("GET", f"/v1/games/{game}/commands", token=tokens[0]).status == 200


def pause(service: Service, name: str, seconds: float) -> None:
    """Stop a process and all below it for a while, as a machine that hangs."""
    everyone = [service.process_id(name), *descendants(service.process_id(name))]
    for each in everyone:
        os.kill(each, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        for each in everyone:
            os.kill(each, signal.SIGCONT)


@pytest.mark.parametrize("how", ["web killed", "web paused", "store paused"])
def test_what_is_away_costs_nobody_time(service: Service, how: str) -> None:
    """The gap begins where all of it was last there; a web that is away is one though store and projector are not."""
    service.start("store", "web", "projector")
    await_watching(service)
    game, tokens = create(service, service.key(), PATIENT)
    gone, (name, what) = now_milliseconds(), how.split()
    if what == "killed":
        service.kill(name)
        time.sleep(AWAY_SECONDS)
        service.start(name)
        service.await_ready()
    else:
        pause(service, name, AWAY_SECONDS)
        service.await_ready()
    back = now_milliseconds()
    body = {"type": "plant", "field": 0}
    sent = service.api.call("POST", f"/v1/games/{game}/commands", body, token=tokens[0])
    assert sent.status == 200, sent.body
    entries = found(service, game)
    assert {each["type"] for each in entries} == {"time_credited"}
    assert entries[0]["data"]["since"] <= gone
    assert entries[-1]["data"]["until"] >= back
    assert {each["data"]["reason"] for each in entries} == {"outage"}
