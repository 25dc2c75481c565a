"""Validating finished games: enqueued until the report is there, and what the report says of a changed log."""

import msgspec
import pytest
import redis

from service.jobs import jobs
from service.jobs.dispatching import Dispatcher
from service.projector import Projector
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_worker import replace_entry, work


def project(api: InProcess) -> None:
    """Let a projector catch up."""
    Projector(api.store, Dispatcher(api.store)).catch_up(range(api.store.partitions))


def test_a_finished_game_is_validated_once(api: InProcess, queue: redis.Redis) -> None:
    """Projected, enqueued, validated by the auditor's own verifier, and its report is served."""
    game = api.stored()
    project(api)
    assert api.get(f"/v1/games/{game.id}/validations") == {
        "game": game.id,
        "validation": "pending",
        "reports": [],
        "receipts": [],
    }
    assert work(queue) == 1
    found = api.get(f"/v1/games/{game.id}/validations")
    assert found["validation"] == "valid"
    assert [(report["ok"], report["version"]) for report in found["reports"]] == [
        (True, len(game.recorded.log))
    ]
    assert [each["game"] for each in api.get("/v1/games?validation=valid")["games"]] == [game.id]


def test_the_same_job_twice_makes_one_report(api: InProcess, queue: redis.Redis) -> None:
    """A job may be done again: the report on the same version by the same engine is replaced."""
    game = api.stored()
    for _ in range(3):
        jobs.validate_game(game.id)
    assert len(api.get(f"/v1/games/{game.id}/validations")["reports"]) == 1


def test_a_game_is_in_the_queue_once(api: InProcess, queue: redis.Redis) -> None:
    """Projector and sweep may both ask for it."""
    api.stored()
    project(api)
    dispatcher = Dispatcher(api.store)
    assert [dispatcher.sweep() for _ in range(3)] == [1, 1, 1]
    assert work(queue) == 1
    assert dispatcher.sweep() == 0
    assert work(queue) == 0


def test_a_lost_queue_loses_nothing(api: InProcess, queue: redis.Redis) -> None:
    """When the queue is wiped the sweep enqueues what has no report yet."""
    game = api.stored()
    project(api)
    names = list(queue.scan_iter("rq:*"))
    assert names
    queue.delete(*names)
    assert work(queue) == 0
    assert Dispatcher(api.store).sweep() == 1
    assert work(queue) == 1
    assert api.get(f"/v1/games/{game.id}/validations")["validation"] == "valid"


def test_an_unreachable_queue_is_the_sweeps_affair(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list goes on without the queue; once it is back the sweep finds the game."""
    game = api.stored()
    monkeypatch.setenv("QUEUE_REDIS_URL", "redis://127.0.0.1:1")
    project(api)
    assert [each["status"] for each in api.get("/v1/games")["games"]] == ["finished"]
    monkeypatch.delenv("QUEUE_REDIS_URL")
    assert Dispatcher(api.store).sweep() == 1
    assert work(queue) == 1
    assert api.get(f"/v1/games/{game.id}/validations")["validation"] == "valid"


def planted(game: Stored) -> int:
    """The version of a planting in the middle of the game."""
    return next(
        entry.version for entry in game.recorded.log if entry.type == "bean_planted" and entry.version > 100
    )


@pytest.mark.parametrize("change", ["card", "hash", "unreadable", "no JSON", "unknown type", "time"])
def test_a_tampered_log_is_found_out(api: InProcess, queue: redis.Redis, change: str) -> None:
    """The verdict is `invalid`, and the report names the version that was changed."""
    game = api.stored()
    version = planted(game)
    entry = game.recorded.log[version - 1]
    data = msgspec.json.decode(entry.data)
    other = "green" if data["card"] != "green" else "blue"
    changes: dict[str, dict[str, object]] = {
        "card": {"d": msgspec.json.encode({**data, "card": other})},
        "hash": {"h": "0" * 64},
        "unreadable": {"d": b'{"seat": "nobody"}'},
        "no JSON": {"d": b"\xff"},
        "unknown type": {"t": "bean_eaten"},
        "time": {"a": entry.at + 1},
    }
    replace_entry(api, game, version, **changes[change])
    project(api)
    assert work(queue) == 1
    found = api.get(f"/v1/games/{game.id}/validations")
    assert found["validation"] == "invalid"
    assert [finding["version"] for finding in found["reports"][0]["findings"]] == [version]
    assert Dispatcher(api.store).sweep() == 0


def test_a_log_with_a_hole_is_found_out(api: InProcess, queue: redis.Redis) -> None:
    """A deleted entry makes the game invalid at the version that is missing."""
    game = api.stored()
    project(api)
    name = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:log"
    api.store.connection.command("XDEL", name, "200-0")
    work(queue)
    found = api.get(f"/v1/games/{game.id}/validations")
    assert found["validation"] == "invalid"
    assert [finding["version"] for finding in found["reports"][0]["findings"]] == [200]
