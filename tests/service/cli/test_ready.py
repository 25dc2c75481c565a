"""`fieldbook ready` as container engines and timers ask it: by its exit status."""

import subprocess
import sys
from pathlib import Path

from tests.support.processes import Service
from tests.support.servers import ROOT


def ask(service: Service, *options: str) -> tuple[int, str]:
    """The exit status of the command, and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "service.command_line", "ready", *options],
        cwd=ROOT,
        env=service.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_whoever_looks_after_a_service_is_told_what_is_well(tmp_path: Path) -> None:
    """Nothing answers; it is ready, and one process has never begun; its store goes, and it is alive all the same."""
    with Service(tmp_path) as service:
        assert ask(service)[0] == ask(service, "--live")[0] == 1

        service.start("store", "web", "projector")
        service.await_ready()
        status, said = ask(service)
        assert status == 0
        assert '"durability":"local"' in said
        assert ask(service, "--at", f"http://127.0.0.1:{service.port}/", "--process", "bots")[0] == 1
        assert ask(service, "--process", "knitter")[0] == ask(service, "--at", "data:,x")[0] == 2

        service.stop("store")
        status, said = ask(service)
        assert status == 1
        assert "not_ready" in said
        assert ask(service, "--process", "projector")[0] == 1
        assert ask(service, "--live")[0] == 0
