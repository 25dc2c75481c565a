"""How each process ends: in time when it is asked to, with streams open; and never alone when another is killed."""

import os
import re
import resource
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from service.storage.settings import StoreSettings
from tests.support import processes
from tests.support.lossy_proxy import LossyProxy
from tests.support.processes import EVERYTHING, Service, children, free_port
from tests.support.servers import ROOT, eventually

SEATS = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
STREAMS = 20
TERM, INT = signal.SIGTERM, signal.SIGINT
SLACK_SECONDS = 90.0
"""What a machine that has much else to do may add to a limit."""
GONE_SECONDS = 60.0
HOLD_UP = """
import sys, time
from service.server import web_process as web

class HeldUp(web.{held}):
    def {before}(self):
        print("held up", file=sys.stderr, flush=True)
        time.sleep(2)
        return super().{before}()

web.{held}, web.GRACEFUL_SECONDS = HeldUp, 600
web.serve()
"""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service on a folder of its own, not yet started."""
    with Service(tmp_path) as service:
        yield service


def limit(process: str) -> float:
    """Seconds within which a process ends after SIGTERM, as the operator is told."""
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| `{process}` \| (\d+) s \|", text, re.MULTILINE)
    assert found is not None, f"docs/operating.md says no limit for {process}"
    return float(found[1])


def new_game(service: Service, key: str) -> str:
    """Make a game of three people."""
    answer = service.api.call("POST", "/v1/games", {"system": "classic", "seats": SEATS}, token=key)
    assert answer.status == 201, answer.body
    return str(answer.json["game"])


def first_key(service: Service) -> str:
    """The key that `fieldbook up` has made, once it is there."""
    file = service.folder / "data" / "first-key"
    eventually(lambda: file.exists() and bool(file.read_text().strip()), seconds=60)
    return file.read_text().strip()


@contextmanager
def many_listeners(service: Service, game: str) -> Iterator[list[socket.socket]]:
    """Streams and one long poll, all of them open and begun."""
    version = service.api.call("GET", f"/v1/games/{game}").json["version"]
    requests = [f"GET /v1/games/{game}/events HTTP/1.1\r\nAccept: text/event-stream\r\n"] * STREAMS
    with ExitStack() as stack:
        opened = []
        for request in (*requests, f"GET /v1/games/{game}/events?after={version}&wait=60 HTTP/1.1\r\n"):
            connection = socket.create_connection(("127.0.0.1", service.port), timeout=60)
            stack.enter_context(closing(connection))
            connection.sendall(f"{request}Host: localhost\r\n\r\n".encode())
            opened.append(connection)
        for stream in opened[:STREAMS]:
            assert stream.recv(65536).startswith(b"HTTP/1.1 200")
        yield opened


def ended(service: Service, name: str, signals: tuple[signal.Signals, ...]) -> int:
    """The exit status of a process that ends within its limit after these signals."""
    for number in signals:
        service.signal(name, number)
        time.sleep(0.2)
    return service.await_end(name, limit(name) + SLACK_SECONDS)


@pytest.mark.parametrize(
    "signals",
    [
        pytest.param((TERM,), id="once", marks=pytest.mark.soak),
        pytest.param((TERM, TERM), id="twice"),
        pytest.param((INT,), id="interrupted", marks=pytest.mark.soak),
    ],
)
def test_every_process_ends_within_its_limit(service: Service, signals: tuple[signal.Signals, ...]) -> None:
    """SIGTERM, also when it comes twice, and SIGINT end each process while 20 streams and a long poll are open."""
    service.start(*EVERYTHING)
    service.await_ready()
    game = new_game(service, service.key(("create_games",)))
    with many_listeners(service, game) as listeners:
        for name in ("webhooks", "worker", "projector", "bots", "web", "store"):
            status = ended(service, name, signals)
            assert status in {0, -signals[0]}, (name, status, service.log(name))
        for listener in listeners:
            while read(listener):
                pass
    eventually(lambda: service.alive() == [], seconds=GONE_SECONDS)


def read(connection: socket.socket) -> bytes:
    """The next bytes of a connection; none when it is closed or reset."""
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize("signals", [(TERM, TERM), (INT,)], ids=["twice", "interrupted"])
def test_up_ends_within_its_limit(service: Service, signals: tuple[signal.Signals, ...]) -> None:
    """Two signals, or the keyboard's, end `fieldbook up` and all that it started while streams are open."""
    service.start("up")
    service.await_ready()
    with many_listeners(service, new_game(service, first_key(service))):
        status = ended(service, "up", signals)
    assert status == 128 + signals[0], service.log("up")
    eventually(lambda: service.alive() == [], seconds=GONE_SECONDS)


def test_up_can_be_stopped_while_it_starts(service: Service) -> None:
    """A signal that comes before everything is started ends it all the same."""
    for wait in (0.3, 0.9, 1.3):
        service.start("up")
        time.sleep(wait)
        service.signal("up", TERM)
        service.await_end("up", limit("up") + SLACK_SECONDS)
        eventually(lambda: service.alive() == [], seconds=GONE_SECONDS)


@pytest.mark.parametrize(
    ("held", "before"),
    [
        pytest.param("WebWorker", "init_signals", id="just forked"),
        pytest.param("WebProcess", "load", id="while the application is made"),
    ],
)
def test_a_web_process_stops_that_is_told_to_before_it_serves(
    service: Service, monkeypatch: pytest.MonkeyPatch, held: str, before: str
) -> None:
    """SIGTERM that comes so early is not forgotten: nobody waits until patience is over."""
    monkeypatch.setitem(processes.COMMANDS, "web", ("-c", HOLD_UP.format(held=held, before=before)))
    service.start("store", "web")
    eventually(lambda: "held up" in service.log("web"), seconds=GONE_SECONDS)
    service.signal("web", TERM)
    service.await_end("web", limit("web") + SLACK_SECONDS)


def test_a_killed_up_leaves_no_process_behind(service: Service) -> None:
    """SIGKILL, which nobody can answer: every process sees for itself that it is alone, also with streams open."""
    service.start("up")
    service.await_ready()
    game = new_game(service, first_key(service))
    with many_listeners(service, game):
        service.kill_alone("up")
        eventually(lambda: service.alive() == [], seconds=limit("up") + SLACK_SECONDS)
    service.start("up")
    service.await_ready()
    assert service.api.call("GET", f"/v1/games/{game}").status == 200


def test_a_killed_process_takes_its_own_with_it(service: Service) -> None:
    """The web's processes end with the first one, and its successor can start; an idle worker has none of its own."""
    name = "web"
    service.start("store", "web", "worker")
    service.await_ready()
    game = new_game(service, service.key(("create_games",)))
    eventually(lambda: bool(children(service.process_id(name))), seconds=30)
    with many_listeners(service, game):
        below = children(service.process_id(name))
        service.kill_alone(name)
        eventually(lambda: not set(below) & set(service.alive()), seconds=limit("web") + SLACK_SECONDS)
    service.start(name)
    service.await_ready()


def test_a_worker_that_has_just_begun_ends_well_too(service: Service) -> None:
    """Also while it reads what its jobs need, before it asks the queue for the first one."""
    service.start("store", "worker")
    eventually(lambda: "worker starts" in service.log("worker"))
    os.kill(service.process_id("worker"), signal.SIGTERM)
    assert service.await_end("worker", limit("worker") + SLACK_SECONDS) == 0, service.log("worker")


def test_a_second_up_on_a_folder_in_use_refuses(service: Service) -> None:
    """It names who is there and ends with status 2, before it has started anything that could touch the first one."""
    service.start("up")
    service.await_ready()
    store = (service.folder / "data" / "store" / "lock").read_text().strip()
    game = new_game(service, first_key(service))
    service.environment["PORT"] = str(free_port())
    with service.beside("up"):
        service.start("up")
        status = service.await_end("up", limit("up") + SLACK_SECONDS)
    said = (service.folder / "up.log").read_text()
    assert status == 2, said
    assert f"another store (process {store}) already runs on {service.folder / 'data'}" in said
    assert said.count("web started") == 1
    assert service.api.call("GET", f"/v1/games/{game}").status == 200


@pytest.mark.parametrize(
    ("break_store", "ending"),
    [
        pytest.param(lambda store: os.kill(store, signal.SIGKILL), "killed by SIGKILL", id="killed"),
        pytest.param(
            lambda store: resource.prlimit(store, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)),
            "exit status 1",
            id="disk full",
        ),
    ],
)
def test_up_says_that_the_store_has_ended(service: Service, break_store: Any, ending: str) -> None:
    """Killed, or unable to write at level fsync: the last words say what to do, and nothing acknowledged is lost."""
    service.environment["FIELDBOOK_DURABILITY"] = "fsync"
    service.start("up")
    service.await_ready()
    key = first_key(service)
    games = [new_game(service, key) for _ in range(3)]
    break_store(int((service.folder / "data" / "store" / "lock").read_text()))
    with suppress(OSError, HTTPException):
        answer = service.api.call("POST", "/v1/games", {"system": "classic", "seats": SEATS}, token=key)
        assert answer.status == 503, answer.body
    assert service.await_end("up", limit("up") + SLACK_SECONDS) == 1, service.log("up")
    said = service.log("up")
    assert f"The store has ended ({ending})" in said
    assert f"free space on the disk of {service.folder / 'data' / 'store'}" in said
    assert "Nothing that was acknowledged is lost" in said
    eventually(lambda: service.alive() == [], seconds=GONE_SECONDS)
    service.start("up")
    service.await_ready()
    assert [service.api.call("GET", f"/v1/games/{game}").status for game in games] == [200] * 3


def test_a_worker_outlives_every_outage_of_its_store(service: Service) -> None:
    """Whatever it asks the store just then: with half of the replies lost, again and again, it goes on by itself."""
    service.start("store")
    service.open_store().close()
    with LossyProxy(StoreSettings.from_environment(service.environment).address()) as proxy:
        service.start("worker", REDIS_URL=proxy.url)
        eventually(lambda: "worker starts" in service.log("worker"), seconds=60)
        for _ in range(12):
            proxy.lose_replies(0.5)
            time.sleep(1.0)
            proxy.lose_replies(0.0)
            time.sleep(0.3)
        assert service.ended() == {}, service.log("worker")
        assert service.stop("worker") == 0
