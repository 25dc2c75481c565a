"""`fieldbook up`: every process of the Procfile, a word when they are ready, and one when the store has ended.

The store comes first and goes last: nothing else is started before it holds the data folder, so that a second
installation on the same folder ends without having touched the first one.
"""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO, Any
from urllib.error import URLError
from urllib.request import urlopen

import click
from honcho.environ import parse_procfile
from honcho.manager import Manager
from honcho.printer import Printer
from honcho.process import Popen, Process

from service.access.first_key import FILE as FIRST_KEY
from service.access.first_key import first_key
from service.catalogues.catalogues import catalogues_at_start
from service.platform.configuration import REQUEST_LOG
from service.startup.request_log import RequestLog
from service.startup.start_report import start_report
from service.startup.startup_error import exit_on_startup_error
from service.startup.store_opening import open_store
from service.storage.levels import Durability
from service.storage.queues import check_queue
from service.storage.settings import StoreSettings

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 60.0
STOP_SECONDS = 10.0
LOOK_SECONDS = 0.05
FINDING = 1
STORE = "store"
"""The Procfile's process that all others need."""


class AddressTaken(Exception):
    """Somebody listens on the address already."""


class _Lines:
    """What a process says: as many whole lines at once as are there, because each one that is told costs as much."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._rest = b""

    def readline(self) -> bytes:
        """The next lines; what comes after the last one's end at the end of all."""
        while b"\n" not in self._rest:
            part = os.read(self._pipe.fileno(), 65536)
            if not part:
                rest, self._rest = self._rest, b""
                return rest
            self._rest += part
        lines, _, self._rest = self._rest.rpartition(b"\n")
        return lines + b"\n"

    def close(self) -> None:
        """Close the pipe."""
        self._pipe.close()


class _Child(Popen):  # type: ignore[misc] # honcho is not typed
    """honcho's process of ours."""

    def __init__(self, command: str, **settings: Any) -> None:
        super().__init__(command, **settings)
        pipe: Any = self.stdout
        self.stdout: Any = _Lines(pipe)


class _Process(Process):  # type: ignore[misc] # honcho is not typed
    """honcho's process beside each of ours, which also ends when nobody is left to whom it could tell anything."""

    def run(self, *arguments: Any) -> None:
        """Run the process, and tell what it says and how it ends."""
        self._child_ctor = _Child
        Thread(target=self._end_with, args=(os.getppid(),), daemon=True).start()
        super().run(*arguments)

    def _end_with(self, parent: int) -> None:
        """Without a reader the queue fills up, and who waits to be rid of the rest would wait for ever."""
        while os.getppid() == parent or self._child is None:
            time.sleep(LOOK_SECONDS)
        self._child.wait()
        os._exit(FINDING)


class _Processes(Manager):  # type: ignore[misc] # honcho is not typed
    """honcho's manager, which may also be told to stop while it still starts processes."""

    def __init__(self, printer: Printer) -> None:
        """Begin without processes; what they say is printed here."""
        super().__init__(printer)
        self._process_ctor = _Process

    def terminate(self) -> None:
        """Stop all processes, as soon as all are there to be stopped."""
        Thread(target=self._terminate_when_started, daemon=True).start()

    def _terminate_when_started(self) -> None:
        while not self._all_started():
            time.sleep(LOOK_SECONDS)
        super().terminate()


def start_all(host: str, port: int) -> int:
    """Run all processes until one of them ends or a signal comes; returns the exit status.

    Nothing is started where the configured catalogues or the place of the queue are refused: then this process ends
    with status 2. So it does where the store does not start, which says why.

    Raises:
        AddressTaken: the port is in use.
    """
    catalogues_at_start()
    with exit_on_startup_error():
        check_queue()
    _check_free(host, port)
    settings = StoreSettings.from_environment()
    environment = {
        **os.environ,
        "HOST": host,
        "PORT": str(port),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
        "PYTHONUNBUFFERED": "1",
        "FIELDBOOK_PARENT": str(os.getpid()),
        "FIELDBOOK_DATA": str(settings.data_folder),
    }
    processes = parse_procfile((ROOT / "Procfile").read_text(encoding="utf-8")).processes
    requests = settings.data_folder / "requests.log"
    shown = REQUEST_LOG.value() == "terminal"
    manager = _Processes(Printer() if shown else RequestLog(requests))
    for name, command in processes.items():
        if name != STORE:
            manager.add_process(name, command, env=environment)
    with _store(processes[STORE], environment) as store:
        if not _holds_folder(store, settings):
            return store.wait()
        Thread(target=_stop_without_store, args=(store, manager), daemon=True).start()
        place = "this terminal" if shown else f"{requests} (here with FIELDBOOK_REQUEST_LOG=terminal)"
        Thread(target=_announce, args=(f"http://{host}:{port}", place), daemon=True).start()
        manager.loop()
        status = store.poll()
    if status is not None:
        _say_what_the_end_means(status, settings)
        return FINDING
    return int(manager.returncode or 0)


@contextmanager
def _store(command: str, environment: dict[str, str]) -> "Iterator[subprocess.Popen[bytes]]":
    """The store's process: begun before the others, and stopped after them so that they can take their leave."""
    process = subprocess.Popen(shlex.split(command), env=environment, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _holds_folder(store: "subprocess.Popen[bytes]", settings: StoreSettings) -> bool:
    """Wait until the store has the lock on the data folder, where it needs one; False when it has ended instead."""
    lock = settings.store_folder / "lock"
    while store.poll() is None:
        if settings.redis_url or (
            lock.exists() and lock.read_text(encoding="utf-8").strip() == str(store.pid)
        ):
            return True
        time.sleep(LOOK_SECONDS)
    return False


def _stop_without_store(store: "subprocess.Popen[bytes]", manager: _Processes) -> None:
    store.wait()
    manager.terminate()


def _say_what_the_end_means(status: int, settings: StoreSettings) -> None:
    """Tell that the store ended by itself; it comes last, below what every process said about it."""
    kept = (
        "Level memory keeps nothing: a new start begins without games."
        if settings.durability is Durability.MEMORY
        else "Nothing that was acknowledged is lost: start again, and play goes on."
    )
    click.echo(
        f"\nThe store has ended ({_ending(status)}), and so everything was stopped. Where it could not write, free"
        f" space on the disk of {settings.store_folder}. {kept}\n",
        err=True,
    )


def _ending(status: int) -> str:
    return f"exit status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise AddressTaken(
                f"{host}:{port} cannot be used ({error.strerror}). Choose another port: make run PORT=8001"
            ) from error


def _announce(address: str, requests: str) -> None:
    """Print the address, the first key and where requests are logged as soon as the service is ready."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        try:
            with urlopen(f"{address}/readyz", timeout=2):  # noqa: S310 - our own address
                break
        except (URLError, OSError):
            time.sleep(0.05)
    else:
        click.echo(f"Fieldbook did not become ready within {READY_SECONDS:.0f} seconds; see above.")
        return
    settings = StoreSettings.from_environment()
    store = open_store(settings)
    key, is_new = first_key(store, settings.data_folder)
    file = settings.data_folder / FIRST_KEY
    click.echo("\n" + start_report(address, settings, store))
    click.echo(
        f"\nFieldbook is ready at {address}\n"
        f"First key: {f'{key}, shown this once; it is kept in {file}' if is_new else f'in {file}'}\n"
        f"Requests are logged in {requests}\n"
    )
