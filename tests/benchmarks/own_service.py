"""A service for a benchmark alone: started as a user starts it, in a temporary folder, and gone afterwards."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import msgspec

from service.platform.configuration import VARIABLES
from tests.benchmarks.stored_games import StoredGames
from tests.support.servers import ROOT

HOST = "127.0.0.1"
START_SECONDS = 150.0
STOP_SECONDS = 20.0
LOOK_SECONDS = 0.05


class ServiceFailed(OSError):
    """A process of the service has ended, or does not become ready; the text shows the end of its log."""


@dataclass(frozen=True)
class OwnService:
    """A running service."""

    folder: Path
    port: int
    key: str
    """Its first key."""
    process: int
    """The id of `fieldbook up`."""
    environment: Mapping[str, str]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request with the first key: the JSON of its answer.

        Raises:
            OSError: it is refused, or there is no answer.
        """
        request = Request(
            f"http://{HOST}:{self.port}{path}",
            method=method,
            data=None if body is None else msgspec.json.encode(body),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
            return msgspec.json.decode(answer.read())

    def stored_games(self) -> StoredGames:
        """The games in its store, as whoever runs the service can read them; to be closed."""
        return StoredGames.opened(self.environment)


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def plain_environment(folder: Path = ROOT, /, **settings: str) -> dict[str, str]:
    """Our environment variables for a release in this folder, with these settings and no others of the service."""
    ours = {variable.name for variable in VARIABLES}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    path = os.pathsep.join(filter(None, [str(folder), kept.get("PYTHONPATH", "")]))
    return {**kept, "HOST": HOST, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **settings}


@contextmanager
def started(
    command: list[str], environment: Mapping[str, str], log: Path, folder: Path = ROOT
) -> "Iterator[subprocess.Popen[bytes]]":
    """A process in this folder, which is ended with all that it started when this is left."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def await_ready(process: "subprocess.Popen[bytes]", path: str, port: int, log: Path) -> None:
    """Wait until a process answers at this path.

    Raises:
        ServiceFailed: it has ended, or takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with (
            suppress(URLError, OSError, HTTPException),
            urlopen(f"http://{HOST}:{port}{path}", timeout=2),
        ):
            return
        time.sleep(LOOK_SECONDS)
    raise ServiceFailed(f"It did not become ready: {log.read_text(errors='replace')[-1000:]}")


@contextmanager
def own_service(**settings: str) -> Iterator[OwnService]:
    """`fieldbook up` with these settings, at the default level of durability (`fsync`).

    Raises:
        ServiceFailed: it does not become ready.
    """
    with tempfile.TemporaryDirectory(prefix="fieldbook-bench-") as name:
        folder, port = Path(name), free_port()
        environment = plain_environment(ROOT, PORT=str(port), FIELDBOOK_DATA=str(folder / "data"), **settings)
        log = folder / "service.log"
        command = [sys.executable, "-m", "service.command_line", "up"]
        with started(command, environment, log, ROOT) as process:
            await_ready(process, "/readyz", port, log)
            key = _first_key(folder / "data" / "first-key")
            yield OwnService(folder, port, key, process.pid, environment)


def _first_key(file: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if file.exists() and (key := file.read_text(encoding="utf-8").strip()):
            return key
        time.sleep(LOOK_SECONDS)
    raise ServiceFailed("The service wrote no first key.")
