"""A disk that is full: writing is refused with a reason, reading goes on, and all processes live.

`docs/operating.md` and `docs/problems.md` promise `503 store_refused` while the store cannot write, and that the
service recovers by itself.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import EVERYTHING, NAMES, Service, descendants
from tests.support.servers import eventually

MEBIBYTES: Final = 48
CHUNK: Final = 1 << 16
CAN_MOUNT: Final = hasattr(os, "geteuid") and os.geteuid() == 0 and os.uname().sysname == "Linux"
SHARED: Final = "s"
"""The last letter of the permissions of a mapping that writes to its file."""


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Have a folder on a disk of its own, which is soon full."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEBIBYTES}m", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(file: Path) -> None:
    """Write until nothing more fits on the disk."""
    with file.open("ab", buffering=0) as out:
        for size in (CHUNK, 1):
            with suppress(OSError):
                while True:
                    out.write(bytes(size))
    assert os.statvfs(file).f_bavail == 0


def processes(service: Service) -> set[int]:
    """The ids of all processes that serve requests."""
    return set(descendants(service.process_id("web")))


def new_game(service: Service, key: str) -> tuple[int, str]:
    """Ask for a game; the status, and the code of a problem."""
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES]}
    answer = service.api.call("POST", "/v1/games", body, token=key)
    return answer.status, answer.json.get("code", "")


@pytest.mark.skipif(
    not CAN_MOUNT, reason="mounting a small disk needs root on Linux; see the test of mapped files"
)
def test_a_full_disk_refuses_writes_kills_no_process_and_is_recovered_from(tmp_path: Path) -> None:
    """Also requests of kinds that were not counted before, which need room for their metrics."""
    data = tmp_path / "data"
    data.mkdir()
    with small_disk(data), Service(tmp_path) as service:
        service.start("store", "web", WEB_PROCESSES="2")
        service.await_ready()
        key = service.key()
        game = service.people(1).game
        before = processes(service)
        for _ in range(2):
            fill(data / "filler")
            eventually(lambda: new_game(service, key) == (503, "store_refused"))
            for path in (
                f"/v1/games/{game}",
                f"/v1/games/{game}/record",
                "/v1/games",
                "/v1/systems",
                "/nowhere",
            ):
                for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
                    service.api.call(method, path)
            assert service.api.call("GET", f"/v1/games/{game}").status == 200
            metrics = service.api.call("GET", "/metrics")
            assert metrics.status == 200
            assert b'fieldbook_refusals_total{code="store_refused"}' in metrics.body
            assert processes(service) == before, service.log("web")
            (data / "filler").unlink()
            eventually(lambda: new_game(service, key)[0] == 201)
        assert service.ended() == {}


def test_no_process_writes_to_a_mapped_file_of_the_data_folder(service: Service) -> None:
    """Such a write kills the process (SIGBUS) when the disk is full; any other one can be refused."""
    service.people(2)
    data = service.environment["FIELDBOOK_DATA"]
    mapped = []
    for name in EVERYTHING:
        parent = service.process_id(name)
        for process in (parent, *descendants(parent)):
            with suppress(FileNotFoundError, ProcessLookupError):
                for line in Path(f"/proc/{process}/maps").read_text().splitlines():
                    _, permissions, *_, path = line.split(maxsplit=5) if line.count("/") else ("", "", "")
                    if permissions.endswith(SHARED) and path.startswith(data):
                        mapped.append((name, path))
    assert mapped == []


def test_metrics_add_up_over_all_processes(service: Service) -> None:
    """Whichever process answers the scrape, it shows what all of them have counted."""
    key = service.key()
    for _ in range(20):
        assert new_game(service, key)[0] == 201

    def created() -> float:
        text = service.api.call("GET", "/metrics").body.decode()
        name = 'fieldbook_request_seconds_count{method="POST",route="/v1/games",status="201"}'
        return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))

    first = created()
    assert first >= 20
    assert {created() for _ in range(10)} == {first}
