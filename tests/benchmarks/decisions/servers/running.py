"""Each server as it is started, on a port of this machine."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.benchmarks.own_service import await_ready, free_port, own_service, plain_environment, started
from tests.benchmarks.peers.installed import PYTHON_OF_PEERS
from tests.benchmarks.processor import below, named

HERE: Final = Path(__file__).parent
OURS, UVICORN, GRANIAN = "ours", "uvicorn", "granian"
SERVERS: Final = (OURS, UVICORN, GRANIAN)
PROCESSES: Final = "2"


@dataclass(frozen=True)
class Server:
    """One that runs.

    Attributes:
        parent: the process that started those that answer, and is told to stop.
        plain, posted, stream: the paths of a short answer, of one that reads a body, and of a stream.
    """

    port: int
    parent: int
    plain: str = "/"
    posted: str = "/"
    stream: str = "/stream"

    def processes(self) -> list[int]:
        """It and all that it started."""
        return list(below(self.parent))


@contextmanager
def running(name: str) -> Iterator[Server]:
    """Run one of `SERVERS`; ours is the whole service, behind Flask and with its store.

    Raises:
        ServiceFailed: it does not become ready.
    """
    if name == OURS:
        with own_service(FIELDBOOK_LIMITS="off", WEB_PROCESSES=PROCESSES) as service:
            made = service.ask(
                "POST", "/v1/games", {"system": "classic", "seats": [{"name": "Ann"}, None, None]}
            )
            web = next(each for each in named("web", service.process))
            yield Server(service.port, web, "/healthz", "/v1/games", f"/v1/games/{made['game']}/events")
        return
    port = free_port()
    served = ["--host", "127.0.0.1", "--port", str(port), "--workers", PROCESSES]
    fastest = ["--loop", "uvloop", "--http", "httptools", "--no-access-log"]
    command = {
        UVICORN: [sys.executable, "-m", "uvicorn", *served, *fastest, "application:application"],
        GRANIAN: [
            str(PYTHON_OF_PEERS),
            "-m",
            "granian",
            *served,
            "--interface",
            "asgi",
            "application:application",
        ],
    }[name]
    with tempfile.TemporaryDirectory(prefix="fieldbook-servers-") as folder:
        log = Path(folder) / "log"
        with started(command, plain_environment(HERE), log, HERE) as process:
            await_ready(process, "/", port, log)
            yield Server(port, process.pid)
