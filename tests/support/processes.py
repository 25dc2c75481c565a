"""The service as its real processes, on a data folder and a port of their own; ends only what it started.

Every process is started in a process group of its own, so that a kill reaches its children too and nobody else.
"""

import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Self

from events.store.redis.redis_store import RedisEventStore
from service.access.keys import SCOPES
from service.access.store import Keys
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from tests.support.http_play import OverHttp, Party
from tests.support.servers import ROOT, environment_without_settings, eventually

COMMANDS = {
    "store": ("-m", "service.embedded_store"),
    "web": ("-m", "service.web"),
    "worker": ("-m", "service.worker"),
    "projector": ("-m", "service.projector"),
    "bots": ("-m", "service.bots"),
    "webhooks": ("-m", "service.webhook_sender"),
    "up": ("-m", "service.command_line", "up"),
}
PRIORITIES = {
    name: ("nice", "-n", number)
    for name, number in re.findall(r"(?m)^(\w+): nice -n (\d+) ", (ROOT / "Procfile").read_text())
}
"""What stands before a command of the Procfile that gives way to others."""
STOP_SECONDS = 60.0
NAMES = ("Ada", "Bob", "Cleo")
EVERYTHING = ("store", "web", "worker", "projector", "bots", "webhooks")


class Service:
    """Some processes of the service; everything is ended when this is left.

    Attributes:
        python, sources: the interpreter and the folder with which processes are started from now on; those of another
            release may be put in their place.
    """

    def __init__(self, folder: Path, durability: str = "local") -> None:
        """Prepare for this empty folder; nothing is started yet."""
        self.folder = folder
        self.port = free_port()
        self.python, self.sources = Path(sys.executable), ROOT
        self.environment = environment_without_settings() | {
            "FIELDBOOK_DATA": str(folder / "data"),
            "FIELDBOOK_DURABILITY": durability,
            "FIELDBOOK_BOT_PATIENCE": "0",
            "FIELDBOOK_PARENT": str(os.getpid()),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
        }
        self.api = OverHttp(self.port)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        """Return the service."""
        return self

    def __exit__(self, *_: object) -> None:
        """End whatever still runs, the store last."""
        for name in sorted(
            self._running, key=EVERYTHING.index if "up" not in self._running else None, reverse=True
        ):
            self.stop(name)
        for process in self.alive():
            _kill_if_there(process)

    def start(self, *names: str, **environment: str) -> None:
        """Start processes, with these further environment variables."""
        for name in names:
            with (self.folder / f"{name}.log").open("ab") as log:
                self._running[name] = subprocess.Popen(
                    [*PRIORITIES.get(name, ()), str(self.python), *COMMANDS[name]],
                    cwd=self.sources,
                    env=self.environment | {"PYTHONPATH": str(self.sources)} | environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )

    @contextmanager
    def another(self, name: str) -> Iterator[None]:
        """One more process of a kind, for a while."""
        with self.beside(name):
            self.start(name)
            try:
                yield
            finally:
                self.stop(name)

    @contextmanager
    def beside(self, name: str) -> Iterator[None]:
        """Keep a running process aside for a while, so that its name is free for a second one of its kind."""
        self._running[f"{name} (first)"] = self._running.pop(name)
        try:
            yield
        finally:
            self._running[name] = self._running.pop(f"{name} (first)")

    def stop(self, name: str) -> int:
        """Ask a process to end, and return its exit status; kill its group when it takes too long."""
        process = self._running.pop(name)
        process.terminate()
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.wait(STOP_SECONDS)

    def kill(self, name: str) -> None:
        """Kill a process and all that it started at once, whatever groups of their own they made."""
        process = self._running.pop(name)
        below = descendants(process.pid)
        os.killpg(process.pid, signal.SIGKILL)
        for each in below:
            _kill_if_there(each)
        process.wait(STOP_SECONDS)

    def children(self, name: str) -> list[int]:
        """The ids of the processes that a process has started (on Linux)."""
        return children(self.process_id(name))

    def kill_children(self, name: str) -> None:
        """Kill the processes that a process has started, one after the other."""
        for child in self.children(name):
            os.kill(child, signal.SIGKILL)

    def kill_alone(self, name: str) -> None:
        """Kill a process and leave what it started to itself."""
        process = self._running.pop(name)
        process.kill()
        process.wait(STOP_SECONDS)

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a process, and to nothing that it started."""
        self._running[name].send_signal(number)

    def process_id(self, name: str) -> int:
        """The id of a running process."""
        return self._running[name].pid

    def is_running(self, name: str) -> bool:
        """Whether a process was started and not stopped since."""
        return name in self._running

    def await_end(self, name: str, seconds: float = STOP_SECONDS) -> int:
        """Wait until a process has ended by itself, and return its exit status."""
        status = self._running[name].wait(seconds)
        del self._running[name]
        return status

    def ended(self) -> dict[str, int]:
        """The processes that should run and have ended, with their exit status; they can be started again."""
        found = {
            name: status for name, process in self._running.items() if (status := process.poll()) is not None
        }
        for name in found:
            del self._running[name]
        return found

    def await_ready(self) -> None:
        """Wait until the HTTP interface says that it is ready."""
        eventually(self.is_ready, seconds=60)

    def is_ready(self) -> bool:
        """Whether the HTTP interface says that it is ready; fails when a process has ended."""
        for name, process in self._running.items():
            assert process.poll() is None, f"{name} has ended:\n{self.log(name)}"
        try:
            return self.api.call("GET", "/readyz").status == 200
        except (OSError, HTTPException):
            return False

    def log(self, name: str) -> str:
        """What a process has said."""
        return (self.folder / f"{name}.log").read_text(errors="replace")[-4000:]

    def open_store(self) -> RedisEventStore:
        """The store of the running service."""
        return open_store(StoreSettings.from_environment(self.environment))

    def key(self, scopes: Sequence[str] = SCOPES) -> str:
        """A new key."""
        store = self.open_store()
        try:
            return Keys(store).create("tests", tuple(scopes), 1)
        finally:
            store.close()

    def people(self, seed: int, system: str = "classic", players: int = 3) -> Party:
        """A game of people that has just begun, over HTTP."""
        body = {"system": system, "seats": [{"name": name} for name in NAMES[:players]]}
        made = self.api.call("POST", "/v1/games", body, token=self.key()).json
        tokens = [seat["token"] for seat in made["seats"]]
        return Party(self.api, made["game"], tokens, random.Random(seed))

    def alive(self) -> list[int]:
        """The ids of all processes that work on this folder, by their environment (on Linux)."""
        return with_setting("FIELDBOOK_DATA", str(self.folder / "data"))


def with_setting(name: str, value: str) -> list[int]:
    """The ids of all processes that were started with an environment variable set to this (on Linux)."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{name}={value}".encode() in place.read_bytes().split(b"\0"):
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


def children(parent: int) -> list[int]:
    """The ids of a process's own children (on Linux)."""
    found: list[int] = []
    for thread in Path(f"/proc/{parent}/task").glob("[0-9]*/children"):
        try:
            found += map(int, thread.read_text().split())
        except OSError:
            continue
    return found


def descendants(parent: int) -> list[int]:
    """The ids of all processes below a process (on Linux)."""
    found = children(parent)
    for child in tuple(found):
        found += descendants(child)
    return found


def _kill_if_there(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
