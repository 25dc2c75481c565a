"""An installation as users have it: the processes of the Procfile, each started, stopped and killed by itself."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from honcho.environ import parse_procfile

from events.store.errors import StoreUnavailable
from events.store.redis.redis_store import RedisEventStore
from service.access.first_key import first_key
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from tests.benchmarks.own_service import ServiceFailed, free_port, plain_environment
from tests.benchmarks.processor import below
from tests.support.servers import ROOT

STORE: Final = "store"
"""Begun before all others and ended after them."""
STOP_SECONDS: Final = 20.0
"""How long a process may take to stop after SIGTERM; docs/operating.md promises less of each."""
START_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.5
SAID: Final = 1500
"""Characters of a log that are shown."""


class Installation:
    """All processes on an empty folder; they are ended when this is left, and end by themselves without this process.

    Start and restart them from one thread that stays: the store ends with the thread that started it.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        """Prepare; nothing is started before this is entered. The environment goes before the usual one."""
        self.folder = folder
        self.port = free_port()
        self.environment = {
            **plain_environment(
                PORT=str(self.port),
                FIELDBOOK_DATA=str(folder / "data"),
                FIELDBOOK_PARENT=str(os.getpid()),
                FIELDBOOK_BOT_PATIENCE="0",
                FIELDBOOK_WEBHOOK_NETWORKS="127.0.0.0/8",
            ),
            **(environment or {}),
        }
        procfile = (ROOT / "Procfile").read_text(encoding="utf-8")
        self._commands: dict[str, str] = parse_procfile(procfile).processes
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.ended_by_themselves: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """All processes, as the Procfile calls them."""
        return tuple(self._commands)

    def __enter__(self) -> Self:
        """Start the store, and then all others.

        Raises:
            ServiceFailed: the store does not start.
        """
        try:
            self.start(STORE)
            self._await_store()
            for name in self.names:
                if name != STORE:
                    self.start(name)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End every process."""
        self.close()

    def close(self) -> None:
        """End all processes, those around the store first, and all of these at once."""
        around = [name for name in self._running if name != STORE]
        for name in around:
            self._running[name].terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for name in [*around, STORE]:
            if name in self._running:
                self._end(self._running.pop(name), max(1.0, deadline - time.monotonic()))

    def start(self, name: str) -> None:
        """Start a process; what it says goes to a file of its own."""
        command = shlex.split(self._commands[name])
        with self._log(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable if word == "python" else word for word in command],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def end(self, name: str, number: signal.Signals) -> float | None:
        """End a process by SIGTERM, or kill it with all that it started; the seconds it took, None for too long."""
        process, begun = self._running.pop(name), time.monotonic()
        if number == signal.SIGKILL:
            _kill_all(process)
            process.wait()
            return time.monotonic() - begun
        in_time = self._end(process, STOP_SECONDS)
        return time.monotonic() - begun if in_time else None

    def mend(self) -> None:
        """Start again what has ended by itself, as a process manager does, and keep that it had to."""
        for name, process in list(self._running.items()):
            status = process.poll()
            if status is not None:
                self.ended_by_themselves.append(
                    f"{name} ended by itself with status {status}: {self.said(name)}"
                )
                self.start(name)

    def processes(self) -> Iterator[tuple[str, int]]:
        """What runs now: each process of the Procfile, and the id of it and of each that it started."""
        for name, process in list(self._running.items()):
            for each in below(process.pid):
                yield name, each

    def open_store(self) -> RedisEventStore:
        """Its store, once it answers."""
        return open_store(StoreSettings.from_environment(self.environment))

    def key(self) -> str:
        """The first key, an operator's."""
        store = self.open_store()
        try:
            return first_key(store, StoreSettings.from_environment(self.environment).data_folder)[0]
        finally:
            store.close()

    def said(self, name: str) -> str:
        """The last that a process has said."""
        file = self._log(name)
        return file.read_text(errors="replace")[-SAID:].strip() if file.exists() else ""

    def _await_store(self) -> None:
        settings = StoreSettings.from_environment(self.environment)
        deadline = time.monotonic() + START_SECONDS
        while self._running[STORE].poll() is None and time.monotonic() < deadline:
            with suppress(StoreUnavailable):
                open_store(settings, LOOK_SECONDS).close()
                return
        raise ServiceFailed(f"The store does not start: {self.said(STORE) or 'it says nothing'}")

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _end(self, process: "subprocess.Popen[bytes]", seconds: float) -> bool:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            _kill_all(process)
            process.wait()
            return False
        return True


def _kill_all(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and all that it started, as a supervisor of a service or a container does."""
    for each in list(below(process.pid)):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
