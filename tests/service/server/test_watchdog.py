"""What systemd is told by the processes that nobody can ask: that their loops turn, also without the store."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import Service

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
            assert said == b"WATCHDOG=1"
            if process in left:
                left[process] -= 1


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[ServiceManager]:
    """Yield what listens in systemd's place."""
    with closing(ServiceManager(tmp_path / "notify")) as manager:
        yield manager


def test_each_loop_says_that_it_turns_also_while_the_store_is_away(
    tmp_path: Path, manager: ServiceManager
) -> None:
    """A restart mends a loop that stands still; it does not mend a store, so waiting for one is no reason for it."""
    with Service(tmp_path) as service:
        service.environment["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        service.start("store", *WATCHED)
        processes = {service.process_id(name) for name in WATCHED}
        manager.await_signs(processes, 1)
        service.kill("store")
        manager.forget()
        manager.await_signs(processes, 2)
