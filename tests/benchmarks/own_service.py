"""Services, stores and helper processes for one measurement: in temporary folders, and ended with it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.error import URLError
from urllib.request import Request, urlopen

import msgspec

from events.chain.hash_chain import GENESIS
from events.game.table import Table
from events.log.recorded import RecordedEvent
from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import SECRET
from service.platform.configuration import VARIABLES
from service.startup.store_opening import open_store
from service.storage.levels import Durability
from service.storage.settings import StoreSettings
from tests.support.servers import ROOT

HOST: Final = "127.0.0.1"
START_SECONDS: Final = 150.0
STOP_SECONDS: Final = 20.0
LOOK_SECONDS: Final = 0.05
MAX_APPEND: Final = 200
"""Entries of one append where a whole log is put into a store."""


class ServiceFailed(OSError):
    """A process has ended, or does not become ready; the text shows the end of its log."""


@dataclass(frozen=True)
class OwnService:
    """A running service: its first key, the id of its `fieldbook up`, and the environment of its processes."""

    folder: Path
    port: int
    key: str
    process: int
    environment: Mapping[str, str]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request with the first key and return the JSON of its answer.

        Raises:
            OSError: it is refused, or there is no answer.
        """
        request = Request(
            f"http://{HOST}:{self.port}{path}",
            method=method,
            data=None if body is None else msgspec.json.encode(body),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - our own address
            return msgspec.json.decode(answer.read())

    @contextmanager
    def opened_store(self) -> Iterator[RedisEventStore]:
        """Open its store, as its operator can."""
        store = open_store(StoreSettings.from_environment(self.environment), quietly=True)
        try:
            yield store
        finally:
            store.close()


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def plain_environment(folder: Path = ROOT, /, **settings: str) -> dict[str, str]:
    """Return our environment variables with these settings and no others of the service."""
    ours = {variable.name for variable in VARIABLES}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    path = os.pathsep.join(filter(None, [str(folder), kept.get("PYTHONPATH", "")]))
    return {**kept, "HOST": HOST, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **settings}


@contextmanager
def started(
    command: list[str], environment: Mapping[str, str], log: Path, folder: Path = ROOT
) -> "Iterator[subprocess.Popen[bytes]]":
    """Start a process; end it with all that it started when the block is left."""
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
    while time.monotonic() < deadline and process.poll() is None:
        with (
            suppress(URLError, OSError, HTTPException),
            urlopen(f"http://{HOST}:{port}{path}", timeout=2),
        ):
            return
        time.sleep(LOOK_SECONDS)
    raise ServiceFailed(f"It did not become ready: {log.read_text(errors='replace')[-1000:]}")


@contextmanager
def own_service(**settings: str) -> Iterator[OwnService]:
    """Start `fieldbook up` with these settings, at the default level of durability (`fsync`).

    Raises:
        ServiceFailed: it does not become ready.
    """
    with TemporaryDirectory(prefix="fieldbook-bench-") as name:
        folder, port = Path(name), free_port()
        environment = plain_environment(PORT=str(port), FIELDBOOK_DATA=str(folder / "data"), **settings)
        log, key = folder / "service.log", folder / "data" / "first-key"
        with started([sys.executable, "-m", "service.command_line", "up"], environment, log) as process:
            await_ready(process, "/readyz", port, log)
            deadline = time.monotonic() + START_SECONDS
            while not (key.exists() and key.read_text(encoding="utf-8").strip()):
                if time.monotonic() >= deadline:
                    raise ServiceFailed("The service wrote no first key.")
                time.sleep(LOOK_SECONDS)
            yield OwnService(folder, port, key.read_text(encoding="utf-8").strip(), process.pid, environment)


@contextmanager
def own_store(durability: Durability) -> Iterator[tuple[RedisEventStore, Mapping[str, str]]]:
    """Start an embedded store at this level; yield it with the environment of processes that use it.

    It ends with this process, even if this process is killed.

    Raises:
        StoreUnavailable: it does not start.
    """
    with TemporaryDirectory(prefix="fieldbook-bench-") as name:
        environment = plain_environment(
            FIELDBOOK_DATA=str(Path(name) / "data"),
            FIELDBOOK_PARENT=str(os.getpid()),
            FIELDBOOK_DURABILITY=durability.value,
        )
        with running_store(environment, Path(name) / "store.log") as store:
            yield store, environment


@contextmanager
def running_store(environment: Mapping[str, str], log: Path) -> Iterator[RedisEventStore]:
    """Start the embedded store of this environment and open it.

    Raises:
        StoreUnavailable: it does not start.
    """
    with started([sys.executable, "-m", "service.embedded_store"], environment, log):
        store = open_store(StoreSettings.from_environment(environment), quietly=True)
        try:
            yield store
        finally:
            store.close()


def put(store: RedisEventStore, table: Table, log: Sequence[RecordedEvent]) -> None:
    """Put a game into a store, many entries in one append."""
    head = GENESIS
    for begin in range(0, len(log), MAX_APPEND):
        entries = log[begin : begin + MAX_APPEND]
        store.append(
            table.game,
            entries,
            expected_version=begin,
            expected_hash=head,
            command_id=f"{entries[0].actor}:{begin:032x}",
            fingerprint=entries[0].hash,
            private={} if begin else {SECRET: table.secret},
        )
        head = entries[-1].hash


@contextmanager
def talking(command: list[str], environment: Mapping[str, str]) -> "Iterator[subprocess.Popen[bytes]]":
    """Start a process that reads and writes lines; kill it when the block is left."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Ctrl-C is for this process, which then kills that one.
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def tell(process: "subprocess.Popen[bytes]", line: bytes) -> None:
    """Send a line to a talking process."""
    if process.stdin is None:
        raise ServiceFailed("The process has no standard input.")
    process.stdin.write(line + b"\n")
    process.stdin.flush()


def heard(process: "subprocess.Popen[bytes]") -> bytes:
    """Return the next line of a talking process.

    Raises:
        ServiceFailed: it has ended.
    """
    if process.stdout is None:
        raise ServiceFailed("The process has no standard output.")
    line = process.stdout.readline().strip()
    if not line:
        raise ServiceFailed("A helper process ended without printing its result.")
    return line


def await_all_ready(processes: "Sequence[subprocess.Popen[bytes]]") -> None:
    """Wait until each of these talking processes says `ready`.

    Raises:
        ServiceFailed: one says something else; the text has it.
    """
    for process in processes:
        if (said := heard(process)) != b"ready":
            raise ServiceFailed(f"A helper process did not start: {said.decode(errors='replace')}")
