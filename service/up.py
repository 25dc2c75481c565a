"""`fieldbook up`: every process of an installation, a word when they are ready, and one when the store has ended.

The store comes first and goes last: nothing else is started before it holds the data folder, so that a second
installation on the same folder ends without having touched the first one.
"""

import errno
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
from typing import TYPE_CHECKING, Final

import click

from service.platform.configuration import PORT, REQUEST_LOG, BadSetting, setting
from service.platform.setting_kinds import host_and_port
from service.startup.checks import catalogue_faults, exit_on_faults
from service.startup.processes import PROGRAMS, STORE
from service.storage.levels import Durability
from service.storage.settings import StoreSettings

if TYPE_CHECKING:
    from service.server.supervising import Processes

# What is imported in functions below takes longer to import than the store to start. So the store comes first, and
# what is said when the service is ready is imported while the web process is.

ROOT: Final = Path(__file__).resolve().parent.parent
READY_SECONDS: Final = 60.0
STOP_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.005
"""How often it is looked while somebody waits for the start; a look takes a fraction of a millisecond."""
ASK_SECONDS: Final = 0.02
"""How often it is asked whether everything is ready."""
FINDING: Final = 1


def start_all(host: str) -> int:
    """Run all processes until one of them ends or a signal comes; returns the exit status.

    Nothing is started where a setting is refused or the port is in use: then this process ends with status 2, with
    all faults on standard error. It also ends with status 2 where the store does not start, which logs the reason.
    """
    exit_on_faults(*catalogue_faults(), *_address_faults(host))
    _check_queue()
    port = PORT.value()
    settings = StoreSettings.from_environment()
    environment = {
        **os.environ,
        "HOST": host,
        "PORT": str(port),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
        "PYTHONUNBUFFERED": "1",
        "FIELDBOOK_PARENT": str(os.getpid()),
        "FIELDBOOK_DATA": str(settings.data_folder),
    }
    requests = settings.data_folder / "requests.log"
    shown = REQUEST_LOG.value() == "terminal"
    address = f"http://{host_and_port(host, port)}"
    place = "this terminal" if shown else f"{requests} (here with FIELDBOOK_REQUEST_LOG=terminal)"
    with _store(environment) as store:
        from honcho.printer import Printer  # noqa: PLC0415 - see above

        from service.server.supervising import Processes  # noqa: PLC0415
        from service.startup.request_log import RequestLog  # noqa: PLC0415

        def when_started() -> None:
            Thread(target=_stop_without_store, args=(store, manager), daemon=True).start()
            Thread(target=_announce, args=(address, place, settings, manager), daemon=True).start()

        if not _holds_folder(store, settings):
            return store.wait()
        manager = Processes(Printer() if shown else RequestLog(requests), when_started)
        for name, program in PROGRAMS.items():
            manager.add(name, shlex.join(program.command()), environment)
        manager.loop()
        status = store.poll()
    if status is not None:
        _say_what_the_end_means(status, settings)
        return FINDING
    return int(manager.returncode or 0)


def _check_queue() -> None:
    """Ask the server of the queue whether it can hold one; ends this process where it cannot."""
    if setting("QUEUE_REDIS_URL") or setting("REDIS_URL"):
        from service.startup.startup_error import exit_on_startup_error  # noqa: PLC0415
        from service.storage.queues import check_queue  # noqa: PLC0415

        with exit_on_startup_error():
            check_queue()


@contextmanager
def _store(environment: dict[str, str]) -> "Iterator[subprocess.Popen[bytes]]":
    """The store's process: begun before the others, and stopped after them so that they can take their leave."""
    process = subprocess.Popen(STORE.command(), env=environment, start_new_session=True)
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


def _stop_without_store(store: "subprocess.Popen[bytes]", manager: "Processes") -> None:
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


def _address_faults(host: str) -> list[str]:
    """Return why the configured address cannot be listened on; a refused PORT is reported as a setting."""
    try:
        port = PORT.value()
    except BadSetting:
        return []
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            return [f"HOST must be an address of this machine, not {host!r} ({error.strerror})."]
        reason = f"{host_and_port(host, port)} cannot be used ({error.strerror})."
        return [f"{reason} Choose another port: fieldbook up --port 8001, or make run PORT=8001"]
    return []


def _announce(address: str, requests: str, settings: StoreSettings, manager: "Processes") -> None:
    """Print the address, the first key and where requests are logged as soon as the service is ready."""
    from urllib.error import URLError  # noqa: PLC0415 - see above
    from urllib.request import urlopen  # noqa: PLC0415

    from events.store.errors import StoreError  # noqa: PLC0415
    from service.access.first_key import FILE, first_key  # noqa: PLC0415
    from service.platform.targets import BadTarget  # noqa: PLC0415
    from service.startup.start_report import start_report  # noqa: PLC0415
    from service.startup.store_opening import open_store  # noqa: PLC0415

    deadline = time.monotonic() + READY_SECONDS
    try:
        store = open_store(settings)
    except (StoreError, BadTarget):
        # Each of the processes says it, and ends.
        return
    while time.monotonic() < deadline:
        try:
            with urlopen(f"{address}/readyz", timeout=2):  # noqa: S310 - our own address
                break
        except (URLError, OSError):
            time.sleep(ASK_SECONDS)
    else:
        click.echo(f"Fieldbook did not become ready within {READY_SECONDS:.0f} seconds; see above.")
        return
    key, is_new = first_key(store, settings.data_folder)
    # Where nobody reads along, this is a log, and a log holds no keys.
    shown = f"{key}, shown this once; it is kept in" if is_new and sys.stdout.isatty() else "in"
    manager.let_others_begin()
    file = settings.data_folder / FILE
    click.echo("\n" + start_report(address, settings, store))
    click.echo(
        f"\nFieldbook is ready at {address}\nFirst key: {shown} {file}\nRequests are logged in {requests}\n"
    )
