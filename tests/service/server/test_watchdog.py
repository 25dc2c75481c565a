"""What systemd, gunicorn and the store are told: that a loop turns; and nothing by one that stands still."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from events.store.redis.keys import life_keys
from service.server.serving_signs import SIGN_SECONDS
from service.storage.heartbeats import BEAT_SECONDS
from tests.support.held_loops import HeldLoops
from tests.support.processes import Service
from tests.support.servers import eventually

WATCHED: Final = ("worker", "projector", "bots", "webhooks")
WITHIN_SECONDS: Final = 60


class ServiceManager:
    """The end of systemd's socket (sd_notify(3)) that receives."""

    def __init__(self, path: Path) -> None:
        """Listen at this path."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind(str(path))

    def close(self) -> None:
        """Listen no more."""
        self._socket.close()

    def forget(self) -> None:
        """Take no account of what was sent so far."""
        self._socket.settimeout(0)
        try:
            while self._socket.recv(4096):
                pass
        except BlockingIOError:
            return

    def await_signs(self, processes: set[int], times: int) -> None:
        """Wait until each of these processes has said so often that it is alive."""
        left = dict.fromkeys(processes, times)
        deadline = time.monotonic() + WITHIN_SECONDS
        while any(number > 0 for number in left.values()):
            assert time.monotonic() < deadline, f"no sign of {left}"
            self._socket.settimeout(1)
            try:
                said, credentials, _, _ = self._socket.recvmsg(4096, socket.CMSG_SPACE(12))
            except TimeoutError:
                continue
            ((_, _, data),) = credentials
            process = int.from_bytes(data[:4], "little")
            if process in left:
                assert said == b"WATCHDOG=1"
                left[process] -= 1

    def signs(self, processes: set[int], seconds: float) -> list[int]:
        """Which of these processes say within so many seconds that they are alive."""
        found, ends = [], time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                _, ((_, _, data),), _, _ = self._socket.recvmsg(4096, socket.CMSG_SPACE(12))
            except TimeoutError:
                break
            found.append(int.from_bytes(data[:4], "little"))
        return [each for each in found if each in processes]


def told_to_gunicorn(process: int) -> float:
    """When a process of the HTTP interface last told gunicorn that it is alive, as gunicorn reads it."""
    files = Path(f"/proc/{process}/fd").iterdir()
    (sign,) = (each for each in files if "wgunicorn-" in each.readlink().name)
    return sign.stat().st_mtime


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[ServiceManager]:
    """Yield what listens in systemd's place."""
    with closing(ServiceManager(tmp_path / "notify")) as manager:
        yield manager


def tells_the_store(service: Service) -> bool:
    """Whether a partition is told, within three times the time between two signs, that requests are taken."""
    with closing(service.open_store()) as store:
        before = store.connection.command("GET", life_keys(0)[3])
        time.sleep(3 * SIGN_SECONDS)
        return bool(store.connection.command("GET", life_keys(0)[3]) != before)


def test_each_loop_says_that_it_turns_also_without_the_store_and_nothing_while_it_stands_still(
    tmp_path: Path, manager: ServiceManager
) -> None:
    """A restart mends a loop that stands still; it does not mend a store, so waiting for one is no reason for it."""
    loops = HeldLoops(tmp_path / "loops")
    with Service(tmp_path) as service:
        service.environment["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        service.start("store", "web", *WATCHED, **loops.environment)
        service.await_ready()
        watched = {service.process_id(name) for name in WATCHED}
        manager.await_signs(watched, 1)
        web = service.children("web")
        with loops.held(*web):
            # What a thread was about to say when its loop was held up comes once more.
            eventually(lambda: not tells_the_store(service))
        eventually(lambda: tells_the_store(service))

        service.kill("store")
        manager.forget()
        manager.await_signs(watched, 2)

        with loops.held(*watched, *web):
            manager.forget()
            told = {each: told_to_gunicorn(each) for each in web}
            assert manager.signs(watched, 1.2 * BEAT_SECONDS) == []
            assert {each: told_to_gunicorn(each) for each in web} == told
        manager.await_signs(watched, 1)
        eventually(lambda: all(told_to_gunicorn(each) > told[each] for each in web))
