"""`fieldbook up`: every process of the Procfile, and a word when they are ready."""

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from urllib.error import URLError
from urllib.request import urlopen

import click
from honcho.environ import parse_procfile
from honcho.manager import Manager

from service.catalogues import catalogues_at_start
from service.first_key import first_key
from service.queues import queue_at_start
from service.start_report import start_report
from service.store_opening import open_store
from service.store_settings import StoreSettings

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 60.0
STOP_SECONDS = 10.0
STORE = "store"
"""The Procfile's process that all others need."""


class AddressTaken(Exception):
    """Somebody listens on the address already."""


def start_all(host: str, port: int) -> int:
    """Run all processes until one of them ends or a signal comes; returns the exit status.

    Nothing is started where the configured catalogues or the place of the queue are refused: then this process
    ends with status 2.

    Raises:
        AddressTaken: the port is in use.
    """
    catalogues_at_start()
    queue_at_start()
    _check_free(host, port)
    environment = {
        **os.environ,
        "HOST": host,
        "PORT": str(port),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
        "PYTHONUNBUFFERED": "1",
        "FIELDBOOK_PARENT": str(os.getpid()),
        "FIELDBOOK_DATA": str(StoreSettings.from_environment().data_folder),
    }
    processes = parse_procfile((ROOT / "Procfile").read_text(encoding="utf-8")).processes
    manager = Manager()
    for name, command in processes.items():
        if name != STORE:
            manager.add_process(name, command, env=environment)
    with _store(processes[STORE], environment) as store:
        Thread(target=_stop_without_store, args=(store, manager), daemon=True).start()
        Thread(target=_announce, args=(f"http://{host}:{port}",), daemon=True).start()
        manager.loop()
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


def _stop_without_store(store: "subprocess.Popen[bytes]", manager: Manager) -> None:
    store.wait()
    manager.terminate()


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise AddressTaken(
                f"{host}:{port} cannot be used ({error.strerror}). Choose another port: make run PORT=8001"
            ) from error


def _announce(address: str) -> None:
    """Print the address and the first key as soon as the service is ready."""
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
    key = first_key(store, settings.data_folder)
    click.echo("\n" + start_report(address, settings, store))
    click.echo(
        f"\nFieldbook is ready at {address}\nFirst key: {key} (also in {settings.data_folder / 'first-key'})\n"
    )
