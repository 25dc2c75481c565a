"""What an event loop answers comes before what the threads beside it work on."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.server.web_worker import GIVES_WAY as BEHIND
from service.server.wsgi_bridge import GIVES_WAY
from tests.support.processes import Service, children

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for each thread")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service's store and HTTP interface."""
    with Service(tmp_path_factory.mktemp("priorities")) as service:
        service.start("store", "web")
        service.await_ready()
        yield service


def test_threads_that_answer_requests_give_way_to_the_event_loop(service: Service) -> None:
    """A thread has a priority of its own on Linux; each process's loop is its first thread."""
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    found: dict[str, set[int]] = {}
    for process in children(service.process_id("web")):
        if os.getpriority(os.PRIO_PROCESS, process) >= min(ours + BEHIND, 19):
            continue  # it answers nobody who plays
        for thread in Path(f"/proc/{process}/task").iterdir():
            name = (thread / "comm").read_text().strip()
            kind = "loop" if thread.name == str(process) else name.partition("_")[0]
            found.setdefault(kind, set()).add(os.getpriority(os.PRIO_PROCESS, int(thread.name)))
    assert found["loop"] == {ours}
    assert ours + GIVES_WAY in {priority for priorities in found.values() for priority in priorities}
