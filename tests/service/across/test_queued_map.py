"""The map over games by the workers of the queue: what processes of one command answer, each game once."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis

from replay.across.left import USUALLY_LEFT, Left, Reason
from replay.across.mapping import map_games
from replay.across.overview.game_figures import count_game
from replay.across.screening.figures.observing import observe
from service.access.game_access import PRIVATE_GAME, GamePolicy
from service.across import part_job, queued_map
from service.across.part_job import STORE
from service.across.passes import DATASET, REPORT, SCREEN
from service.across.queued_map import Asked, NotMapped, map_by_workers
from service.across.stored_games import StoredGames
from service.across.tabulated_games import tabulating
from service.storage.queues import audit_queue
from service.storage.settings import StoreSettings
from tests.service.in_process import InProcess
from tests.service.in_process_worker import Worker
from tests.support.processes import Service
from tests.support.servers import eventually

EVER = 1e9
HOW = (("--workers", "1"), ("--by-workers",))
"""By one process of the command, and by the workers of the queue."""


def work(client: redis.Redis) -> None:
    """Do the jobs that wait."""
    queue = audit_queue(client)
    Worker([queue], connection=client, serializer=queue.serializer).work(burst=True, logging_level="CRITICAL")


def source() -> StoredGames:
    """The store of the environment."""
    return StoredGames(StoreSettings.from_environment())


def mapped(client: redis.Redis, asked: Asked, pause: Callable[[float], object] | None = None) -> list[Any]:
    """What workers answer, one in this process whenever the map waits."""
    working = pause or (lambda _seconds: work(client))
    names = list(source().names())
    return list(map_by_workers(asked, names, audit_queue(client), patience=EVER, pause=working))


@pytest.fixture
def stored(api: InProcess, queue: redis.Redis) -> InProcess:
    """A store with three games, one of them private, and one whose log is gone."""
    queue.ping()
    for seed in (1, 2):
        api.stored(seed, most_offers=5)
    api.stored(3, most_offers=5, policy=GamePolicy(PRIVATE_GAME))
    api.stored(4, most_offers=5)
    tag = f"{{p{api.store.partition_of('game-4'):02}}}"
    assert api.store.connection.command("DEL", f"{tag}:game:game-4:log")
    return api


@pytest.mark.usefixtures("stored")
def test_every_pass_is_the_same_by_workers(queue: redis.Redis) -> None:
    """Answers, what is left out and why, and the order."""
    passes: dict[str, Callable[..., Any]] = {
        REPORT: count_game,
        DATASET: tabulating(()),
        SCREEN: partial(observe, included=frozenset({"ruled"})),
    }
    for named, function in passes.items():
        here = list(map_games(function, source(), 1))
        arguments = ("ruled",) if named == SCREEN else ()

        assert mapped(queue, Asked(named, STORE, USUALLY_LEFT, arguments)) == here, named
        assert {each.reason for each in here if isinstance(each, Left)} == {
            Reason.PRIVATE,
            Reason.DOES_NOT_VERIFY,
        }
    assert not audit_queue(queue).job_ids


@pytest.mark.usefixtures("stored")
def test_every_game_is_told_once_whatever_happens_to_jobs(
    queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One job is gone, one fails at first, one is done twice: the answers are those of a map without trouble."""
    monkeypatch.setattr(queued_map, "TOGETHER", 1)
    here = list(map_games(count_game, source(), 1))
    done, real, looks = [], part_job.map_part, []

    def troubled(named: str, arguments: list[str], where: str, names: list[str], left: list[str]) -> str:
        done.append(names[0])
        if names == ["game-1"] and done.count("game-1") == 1:
            raise ConnectionError("the store was away")
        real(named, arguments, where, names, left)
        return real(named, arguments, where, names, left)

    def pause(_seconds: float) -> None:
        looks.append(1)
        if len(looks) == 1:
            jobs = audit_queue(queue).jobs
            next(job for job in jobs if job.args[3] != ["game-1"]).delete()
        work(queue)

    monkeypatch.setattr(part_job, "map_part", troubled)

    assert mapped(queue, Asked(REPORT, STORE, USUALLY_LEFT), pause) == here
    assert {game: done.count(game) for game in ("game-1", "game-2", "game-3")} == {
        "game-1": 2,
        "game-2": 1,
        "game-3": 1,
    }


@pytest.mark.usefixtures("stored")
def test_a_job_that_always_fails_ends_the_map_and_leaves_nothing_behind(
    queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the games and the reason; nobody counts without them."""
    monkeypatch.setattr(queued_map, "TOGETHER", 1)
    with pytest.raises(NotMapped, match=r"game-.* failed 3 times: KeyError: 'nothing'"):
        _ask_for_nothing(queue)
    assert not audit_queue(queue).job_ids


def _ask_for_nothing(client: redis.Redis) -> None:
    asked = Asked(REPORT, STORE, USUALLY_LEFT)
    names = list(source().names())
    answers = map_by_workers(
        asked, names, audit_queue(client), patience=EVER, pause=lambda _: _spoil_and_work(client)
    )
    list(answers)


def _spoil_and_work(client: redis.Redis) -> None:
    """What waits names a pass that no worker knows."""
    for job in audit_queue(client).jobs:
        job.args = ("nothing", *job.args[1:])
        job.save()
    work(client)


@pytest.mark.usefixtures("stored")
def test_without_workers_it_says_so(queue: redis.Redis) -> None:
    """Instead of waiting for ever; what it had put into the queue is gone."""
    answers = map_by_workers(
        Asked(REPORT, STORE, USUALLY_LEFT), source().names(), audit_queue(queue), patience=0, pause=int
    )
    with pytest.raises(NotMapped, match="fieldbook worker"):
        list(answers)
    assert not audit_queue(queue).job_ids


@pytest.mark.soak
@pytest.mark.process
def test_two_workers_write_the_report_and_the_screen_that_one_process_writes(tmp_path: Path) -> None:
    """Byte for byte; from a folder of records they cannot, and pseudonyms stay here."""
    (tmp_path / "service").mkdir()
    address = tmp_path / "service" / "data" / "store" / "address"
    with Service(tmp_path / "service") as service:
        service.start("store")
        eventually(address.exists)
        service.start("worker")
        with service.another("worker"), closing(service.open_store()) as store:
            api = InProcess(store)
            for seed in (1, 2, 3):
                api.stored(seed, most_offers=5)
            api.close()
            waiting = audit_queue(redis.Redis.from_url(address.read_text().strip()))
            eventually(lambda: Worker.count(queue=waiting) == 2)
            for out, how in zip(("here", "there"), HOW, strict=True):
                done = fieldbook(service, "report", tmp_path / out, "--data", tmp_path / f"{out}.json", *how)
                assert done.returncode == 0, done.stderr
            screens = [fieldbook(service, "screen", "--json", *how) for how in HOW]
        asked = (
            ("report", tmp_path / "no", "--records", tmp_path, "--by-workers"),
            ("report", tmp_path / "no", "--workers", "2", "--by-workers"),
            ("dataset", tmp_path / "no", "--pseudonyms", tmp_path / "key", "--by-workers"),
            ("screen", tmp_path, "--by-workers"),
        )
        refused = [fieldbook(service, *each).returncode for each in asked]

    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    assert (tmp_path / "here.json").read_bytes() == (tmp_path / "there.json").read_bytes()
    assert refused == [2, 2, 2, 2]
    assert screens[0].stdout == screens[1].stdout
    assert json.loads(screens[0].stdout)["games"] == 3


def fieldbook(service: Service, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command beside a service."""
    command = [sys.executable, "-m", "service.command_line", *map(str, words)]
    environment = {**os.environ, **service.environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
