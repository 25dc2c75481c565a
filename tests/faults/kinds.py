"""The faults: what each does to an installation in one round, and how it is undone."""

import os
import random
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.faults.installation import Installation, Setting
from tests.faults.players import Players
from tests.faults.truncation import truncate
from tests.support.processes import children
from tests.support.servers import eventually

LOST_SHARE = 0.1
LOSSY_SECONDS = 1.0
HORSE_SECONDS = 3.0
"""How long it is waited for the worker to have something to do."""
ROOM = 16 * 1024
"""Bytes that a store may still take when its memory or its disk is made short."""
LONGEST_WAIT_SECONDS = 12.0
"""After so long clients must have been told that the store does not answer: three tries of three seconds each."""
SHORT_SECONDS = 20.0
"""How long it may take until a client is told that memory or disk are short."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a fault."""

    installation: Installation
    players: Players
    dice: random.Random
    pause_seconds: float


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault. `inject` returns when what was broken has been started or set right again.

    A round of a `slow` one takes many seconds on a busy machine.
    """

    name: str
    what: str
    inject: Callable[[Round], None]
    setting: Setting
    slow: bool = False


def _kill_web_process(round_: Round) -> None:
    service = round_.installation.service
    os.kill(round_.dice.choice(children(service.process_id("web"))), signal.SIGKILL)


def _kill_web(round_: Round) -> None:
    round_.installation.service.kill("web")
    round_.installation.start("web")


def _kill_web_alone(round_: Round) -> None:
    """Kill the master only: its processes are to go by themselves, and to give the port free."""
    service = round_.installation.service
    below = children(service.process_id("web"))
    service.kill_alone("web")
    eventually(lambda: not any(map(_is_there, below)), seconds=30)
    round_.installation.start("web")


def _kill(name: str) -> Callable[[Round], None]:
    def inject(round_: Round) -> None:
        round_.installation.service.kill(name)
        round_.installation.start(name)

    return inject


def _kill_worker(round_: Round) -> None:
    """Kill the worker while it validates, if it does so within a while, and its horse with it."""
    service = round_.installation.service
    worker = service.process_id("worker")
    round_.players.begin_bots_game()
    deadline = time.monotonic() + HORSE_SECONDS
    while not children(worker) and time.monotonic() < deadline:
        time.sleep(0.005)
    _kill("worker")(round_)


def _kill_bots(round_: Round) -> None:
    """Kill the bots while they play."""
    round_.players.begin_bots_game()
    time.sleep(round_.dice.uniform(0.0, 0.5))
    _kill("bots")(round_)


def _lose_replies(round_: Round) -> None:
    proxy = round_.installation.proxy
    before = proxy.lost
    proxy.lose_replies(LOST_SHARE)
    time.sleep(LOSSY_SECONDS)
    proxy.lose_replies(0)
    if proxy.lost == before:
        round_.players.ledger.find("the proxy lost no reply")


def _pause_store(round_: Round) -> None:
    service = round_.installation.service
    before = round_.players.ledger.tally().answers["503 store_unavailable"]
    service.signal("store", signal.SIGSTOP)
    try:
        time.sleep(round_.pause_seconds)
    finally:
        service.signal("store", signal.SIGCONT)
    told = round_.players.ledger.tally().answers["503 store_unavailable"] - before
    if round_.pause_seconds > LONGEST_WAIT_SECONDS and not told:
        round_.players.ledger.find("the store was paused, and no client was told")


def _fill_memory(round_: Round) -> None:
    installation = round_.installation
    used = _information(installation, "used_memory")
    installation.server("CONFIG", "SET", "maxmemory", used + ROOM)
    try:
        _await_answer(round_, "503 store_refused")
    finally:
        installation.server("CONFIG", "SET", "maxmemory", 0)


def _fill_disk(round_: Round) -> None:
    """Bound the size of the store's files. At `local` it refuses to write; at `fsync` it can only end."""
    installation = round_.installation
    service = installation.service
    size = installation.newest_log_file().stat().st_size
    store = service.process_id("store")
    _bound_files(store, size + ROOM)
    if installation.setting.durability == "fsync":
        status = service.await_end("store", SHORT_SECONDS)
        if status != 1:
            round_.players.ledger.find(f"the store that could not write ended with status {status}")
        installation.restart_store()
        return
    try:
        _await_answer(round_, "503 store_refused")
    finally:
        _bound_files(store, resource.RLIM_INFINITY)


def _bound_files(process: int, size: int) -> None:
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _information(installation: Installation, name: str) -> int:
    told = installation.server("INFO")
    assert isinstance(told, bytes)
    lines = dict(line.split(":", 1) for line in told.decode().splitlines() if ":" in line)
    return int(lines[name])


def _await_answer(round_: Round, kind: str) -> None:
    before = round_.players.ledger.tally().answers[kind]
    deadline = time.monotonic() + SHORT_SECONDS
    while round_.players.ledger.tally().answers[kind] == before:
        if time.monotonic() > deadline:
            round_.players.ledger.find(f"no client was answered {kind} within {SHORT_SECONDS:.0f} s")
            return
        time.sleep(0.05)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _truncate(round_: Round) -> None:
    truncate(round_.installation, round_.players, round_.dice)


LOCAL, FSYNC = Setting("local"), Setting("fsync")
KINDS = (
    Kind("web-process", "SIGKILL of one of the web's processes", _kill_web_process, LOCAL),
    Kind("web", "SIGKILL of the web with all its processes", _kill_web, LOCAL, slow=True),
    Kind("web-master", "SIGKILL of the web's first process alone", _kill_web_alone, LOCAL, slow=True),
    Kind("worker", "SIGKILL of the worker with its horse in the middle of a job", _kill_worker, LOCAL),
    Kind("bots", "SIGKILL of the bots' process in the middle of a game", _kill_bots, LOCAL),
    Kind("projector", "SIGKILL of the projector", _kill("projector"), LOCAL),
    Kind("store-local", "SIGKILL of the store at level local", _kill("store"), LOCAL),
    Kind("store-fsync", "SIGKILL of the store at level fsync", _kill("store"), FSYNC),
    Kind("lost-replies", "a proxy drops replies of the store", _lose_replies, Setting("fsync", proxied=True)),
    Kind("paused-store", "the store is paused", _pause_store, FSYNC, slow=True),
    Kind("full-memory", "the store reaches maxmemory", _fill_memory, FSYNC),
    Kind("full-disk-local", "the store's disk is full at level local", _fill_disk, LOCAL),
    Kind("full-disk-fsync", "the store's disk is full at level fsync", _fill_disk, FSYNC),
    Kind("cut-log", "the end of the append-only file is cut off, and put back", _truncate, FSYNC),
)
"""Every kind of fault, in the order in which the campaign runs them."""
BY_NAME = {kind.name: kind for kind in KINDS}
