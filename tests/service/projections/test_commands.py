"""`fieldbook projections` as an operator uses it, while the service runs."""

import json
import os
import pty
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.service.server.test_processes import eventually_open
from tests.support.depth import depth
from tests.support.processes import Service
from tests.support.recorded_games import recorded_game
from tests.support.servers import ROOT, eventually

SECONDS = 240
KILLED = depth(2, 6)
"""So many rebuilds are killed one after the other."""
PROGRAM = (sys.executable, "-m", "service.command_line", "projections")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service with some games, of which web, projector and store run."""
    with Service(tmp_path) as service:
        service.start("store", "web", "projector")
        service.await_ready()
        with closing(eventually_open(service)) as store:
            for seed in range(1, 5):
                game = recorded_game(seed, most_offers=12)
                store.append(
                    game.table.game, game.log, expected_version=0, command_id="t", fingerprint="t", private={}
                )
        for seed in range(4):
            service.people(seed).play(8)
        eventually(lambda: service.api.call("GET", "/readyz").json["projection_lag"] == 0, seconds=SECONDS)
        yield service


def fieldbook(service: Service, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=ROOT,
        env=service.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def test_status_rebuild_compare_and_retry(service: Service) -> None:
    """All is well: nothing is found, and the list is the same in the next generation."""
    before = service.api.call("GET", "/v1/games?limit=200").json
    assert len(before["games"]) == 8
    status = fieldbook(service, "status", "--json")
    found = json.loads(status.stdout)
    assert status.returncode == 0
    assert (found["projection"], found["lag"], found["quarantined"]) == ("games-2", 0, {})
    assert {each["generation"] for each in found["partitions"]} == {1}
    compared = fieldbook(service, "compare")
    assert (compared.returncode, "0 differences" in compared.stdout) == (0, True), compared
    rebuilt = fieldbook(service, "rebuild")
    assert rebuilt.returncode == 0, rebuilt
    assert "generation 2" in rebuilt.stdout
    assert "feed entries" in rebuilt.stderr
    assert service.api.call("GET", "/v1/games?limit=200").json == before
    later = service.people(9)
    eventually(lambda: later.game in service.api.call("GET", "/v1/games").body.decode(), seconds=SECONDS)
    assert fieldbook(service, "retry").returncode == 0
    assert fieldbook(service, "status").returncode == 0
    assert fieldbook(service, "compare").returncode == 0


@pytest.mark.deep
def test_findings_have_status_1_and_an_absent_store_2(service: Service) -> None:
    """A damaged list is a difference, a damaged log a refused rebuild; one that is forced puts it into quarantine."""
    with closing(eventually_open(service)) as store:
        game = recorded_game(1, most_offers=12).table.game
        tag = f"{{p{store.partition_of(game):02}}}"
        store.connection.command("ZREM", f"{tag}:projection:games-2.1:created", game)
        compared = fieldbook(service, "compare")
        assert (compared.returncode, game in compared.stdout) == (1, True)
        store.connection.command("XDEL", f"{tag}:game:{game}:log", "30-0")
        refused = fieldbook(service, "rebuild")
        assert (refused.returncode, game in refused.stdout, "--force" in refused.stderr) == (1, True, True)
        forced = fieldbook(service, "rebuild", "--force")
        assert forced.returncode == 0, forced
        status = fieldbook(service, "status")
        assert (status.returncode, game in status.stdout) == (1, True)
        assert fieldbook(service, "retry").returncode == 1
        ready = service.api.call("GET", "/readyz").json
        assert ready["quarantined_games"] == 1
    service.stop("projector")
    service.stop("web")
    service.stop("store")
    for command in depth(("rebuild",), ("status", "rebuild", "compare", "retry")):
        absent = fieldbook(service, command)
        assert (absent.returncode, "Traceback" in absent.stderr) == (2, False), absent


@pytest.mark.deep
def test_a_rebuild_that_is_killed_is_finished_by_the_next(service: Service) -> None:
    """SIGKILL at any moment, while games are played; then one more run, and nothing differs."""
    chance = random.Random(1)
    for _ in range(KILLED):
        run = subprocess.Popen(
            [*PROGRAM, "rebuild"], cwd=ROOT, env=service.environment, stdout=subprocess.DEVNULL
        )
        service.people(chance.randrange(1000)).play(3)
        try:
            run.wait(chance.uniform(0.5, 3))
        except subprocess.TimeoutExpired:
            run.kill()
        assert run.wait() in {0, -9}
    assert fieldbook(service, "rebuild").returncode == 0
    assert len(service.api.call("GET", "/v1/games?limit=200").json["games"]) == 8 + KILLED
    assert fieldbook(service, "compare").returncode == 0


def test_on_a_terminal_there_is_a_progress_bar(service: Service) -> None:
    """Elsewhere there are plain lines."""
    leader, follower = pty.openpty()
    run = subprocess.Popen(
        [*PROGRAM, "rebuild"],
        cwd=ROOT,
        env={**service.environment, "TERM": "xterm"},
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 65536):
            shown += part
    except OSError:
        pass  # on Linux the end of a terminal is an error
    assert run.wait() == 0
    os.close(leader)
    assert b"Rebuilding" in shown
    assert "━".encode() in shown
