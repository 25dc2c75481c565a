"""A process that was killed is missing in `/readyz` within seconds, and there again once another one runs.

Source: issue 43: `/readyz` called a killed worker alive for 90 seconds. docs/operating.md, "Is it well?": a worker
without a heartbeat for 15 seconds is gone. The answer may be 3 seconds old.
"""

from pathlib import Path

from tests.support.processes import Service
from tests.support.servers import eventually

MISSED_SECONDS = 45
"""Much more than 18 seconds, because the machine may be busy, and much less than the minute and a half of before."""


def state_of(service: Service, process: str) -> tuple[str, bool]:
    """Return what `/readyz` says about a process, and whether it counts as degraded."""
    document = service.api.call("GET", "/readyz").json
    return document["processes"][process], process in document["degraded"]


def test_a_killed_worker_is_missed_soon(tmp_path: Path) -> None:
    """An idle one has no other sign than its heartbeats; the metric counts it no longer either.

    The folder's name goes into the address of the store's socket, which RQ reads.
    """
    folder = tmp_path / "a folder = with blanks"
    folder.mkdir()
    with Service(folder) as service:
        service.start("store", "web", "worker")
        service.await_ready()
        eventually(lambda: state_of(service, "worker") == ("alive", False))

        service.kill("worker")

        eventually(lambda: state_of(service, "worker") == ("gone", True), seconds=MISSED_SECONDS)
        eventually(lambda: b"\nfieldbook_workers 0.0\n" in service.api.call("GET", "/metrics").body)
        service.start("worker")
        eventually(lambda: state_of(service, "worker") == ("alive", False))
