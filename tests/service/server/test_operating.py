"""The processes as an operator has them: bounds on the wire, metrics of all of them, and logs that tell nothing."""

import json
import random
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.service.platform.test_metrics import Samples, number
from tests.support.depth import depth
from tests.support.http_play import OverHttp, Party
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import eventually

NAMES = ("Zaphod-Quux", "Yolanda-Quux", "Xaver-Quux")
HEAD = "GET /v1/games HTTP/1.1\r\nHost: localhost\r\n"
SECRET = "fbk_" + "5ec2e7" * 7
PARALLEL = 200


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service on a folder of its own."""
    with Service(tmp_path) as started:
        yield started


def answer_to(port: int, request: bytes, *, then_wait: bool = False) -> bytes:
    """Everything that is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        if not then_wait:
            connection.shutdown(socket.SHUT_WR)
        found = b""
        try:
            while part := connection.recv(65536):
                found += part
        except ConnectionResetError:
            pass
        return found


WRONG: dict[str, tuple[str, int, str]] = {
    "no HTTP": ("hello\r\n\r\n", 400, "malformed_request"),
    "a bad version": ("GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400, "malformed_request"),
    "a bad method": ("G<T / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"),
    "no colon": (HEAD + f"Authorization Bearer {SECRET}\r\n\r\n", 400, "malformed_request"),
    "a space before the colon": (HEAD + f"Authorization : Bearer {SECRET}\r\n\r\n", 400, "malformed_request"),
    "a folded header": (HEAD + f"X-A: b\r\n {SECRET}\r\n\r\n", 400, "malformed_request"),
    "a long line": (
        f"GET /v1/games?player={'x' * 5000} HTTP/1.1\r\nHost: x\r\n\r\n",
        414,
        "address_too_long",
    ),
    "a long header": (HEAD + f"X-A: {'x' * 9000}\r\n\r\n", 431, "headers_too_large"),
    "many headers": (HEAD + "".join(f"X-{n}: y\r\n" for n in range(120)) + "\r\n", 431, "headers_too_large"),
    "an unknown coding": (
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: brotli\r\n\r\n",
        501,
        "unsupported_transfer_coding",
    ),
    "an unknown expectation": (
        HEAD + "Expect: the-spanish-inquisition\r\n\r\n",
        417,
        "unsupported_expectation",
    ),
    "two lengths": (HEAD + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "malformed_request"),
    "a length and chunks": (
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        400,
        "malformed_request",
    ),
    "a negative length": (HEAD + "Content-Length: -1\r\n\r\n", 400, "malformed_request"),
    "another protocol": ("\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400, "malformed_request"),
    "a method in small letters": ("get / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"),
    "a header's name with a space": (HEAD + f"Bad {SECRET}: 1\r\n\r\n", 400, "malformed_request"),
    "a huge header": (HEAD + f"X-A: {'x' * 1_000_000}\r\n\r\n", 431, "headers_too_large"),
}


def test_the_start_is_reported(service: Service) -> None:
    """`fieldbook up` says what runs where and names a typing error; every process says a line of its own.

    The web has two, and the one behind the bulkhead.
    """
    service.environment |= {"FIELDBOOK_TYPO": "1", "FIELDBOOK_LIMITS": "reads=70000/60", "REDIS_URL": ""}
    service.start("up")
    service.await_ready()
    eventually(lambda: "First key: " in service.log("up"), seconds=60)
    eventually(lambda: service.log("up").count(" starts: release ") == 7, seconds=120)
    said = service.log("up")
    for line in (
        rf"address +http://127\.0\.0\.1:{service.port} \(2 processes\)",
        r"store +embedded store, Valkey \d",
        r"durability +local: a power failure may cost the last second",
        r"partitions +16",
        r"archive +none",
        r"catalogues +bohnanza-104, ",
        r"limits +reads=70000/60",
        rf"data +{re.escape(str(service.folder / 'data'))}",
        r"note: Nothing reads the variable FIELDBOOK_TYPO\.",
    ):
        assert re.search(rf"^  {line}", said, re.MULTILINE), line
    assert said.count("FIELDBOOK_TYPO") == 1


def test_a_proxy_that_nobody_named_is_noticed(service: Service) -> None:
    """Once: from then on the log is quiet about it."""
    service.environment["WEB_PROCESSES"] = "1"
    service.start("store", "web")
    service.await_ready()
    for _ in range(3):
        service.api.call("GET", "/v1/games", headers={"X-Forwarded-For": "192.0.2.1"})
    assert service.log("web").count("set FIELDBOOK_TRUSTED_PROXIES") == 1


def test_what_is_no_request_gets_a_problem_document(service: Service) -> None:
    """Also where the server answers before the application sees anything; no HTML, and nothing is repeated."""
    service.start("store", "web")
    service.await_ready()
    for name, (request, status, code) in WRONG.items():
        answer = answer_to(service.port, request.encode())
        assert SECRET[4:20].encode() not in answer, name
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ".encode()), (name, head)
        assert b"content-type: application/problem+json" in head.lower(), name
        assert b"connection: close" in head.lower(), name
        problem = json.loads(body)
        assert (problem["status"], problem["code"]) == (status, code), name
        assert problem["type"] == f"urn:fieldbook:problem:{code}"
    assert service.api.call("GET", "/readyz").status == 200
    assert SECRET[4:20] not in (service.folder / "web.log").read_text()


def test_slow_senders_do_not_hold_the_service(service: Service) -> None:
    """More of them than there are threads: each is sent away, and whoever sends in one go is answered."""
    service.environment["WEB_PROCESSES"] = "1"
    service.start("store", "web")
    service.await_ready()
    slow = [socket.create_connection(("127.0.0.1", service.port), timeout=60) for _ in range(70)]
    for connection in slow:
        connection.sendall(b"GET /healthz HTTP/1.1\r\n")
    began = time.monotonic()
    assert OverHttp(service.port, seconds=45).call("GET", "/healthz").status == 200
    assert time.monotonic() - began < 40
    for connection in slow:
        with closing(connection):
            answer = connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 408 Request Timeout"), answer
            assert b"request_too_slow" in answer


def scraped(service: Service) -> Samples:
    """One scrape, as numbers by name and labels."""
    families = text_string_to_metric_families(service.api.call("GET", "/metrics").body.decode())
    samples = chain.from_iterable(family.samples for family in families)
    return {(each.name, frozenset(each.labels.items())): each.value for each in samples}


def test_a_scrape_tells_of_all_processes_and_survives_one(service: Service) -> None:
    """Whoever answers it; what a killed process has counted stays, its open streams do not."""
    service.start("store", "web")
    service.await_ready()
    labels = {"method": "GET", "route": "/healthz", "status": "200"}
    game = made(service)["game"]
    for _ in range(40):
        service.api.call("GET", "/healthz")
    assert {number(scraped(service), "fieldbook_request_seconds_count", **labels) for _ in range(8)} == {40}
    with closing(socket.create_connection(("127.0.0.1", service.port), timeout=60)) as stream:
        head = f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
        stream.sendall(head.encode())
        assert stream.recv(65536).startswith(b"HTTP/1.1 200")
        assert number(scraped(service), "fieldbook_streams_open") == 1
        before = set(service.children("web"))
        service.kill_children("web")
        eventually(lambda: len(set(service.children("web")) - before) == len(before), seconds=60)
        eventually(lambda: _is_alive(service), seconds=60)
    found = scraped(service)
    assert number(found, "fieldbook_request_seconds_count", **labels) >= 40
    assert number(found, "fieldbook_streams_open") == 0


def _is_alive(service: Service) -> bool:
    try:
        return all(service.api.call("GET", "/readyz").status == 200 for _ in range(4))
    except OSError:
        return False


def made(service: Service, **more: Any) -> Any:
    """A new game of three people."""
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES], **more}
    answer = service.api.call("POST", "/v1/games", body, token=service.key())
    assert answer.status == 201, answer.body
    return answer.json


def test_two_hundred_at_once_are_all_answered(service: Service) -> None:
    """On two processes of 64 threads: everybody gets an answer, none of them a broken one."""
    service.start("store", "web")
    service.await_ready()
    party = made(service)
    path, tokens = f"/v1/games/{party['game']}", [seat["token"] for seat in party["seats"]]

    def several(client: int) -> list[int]:
        with closing(HTTPConnection("127.0.0.1", service.port, timeout=120)) as connection:
            statuses = []
            for each in range(3):
                headers = {
                    "Authorization": f"Bearer {tokens[client % 3]}",
                    "Content-Type": "application/json",
                }
                if (client + each) % 2:
                    connection.request("GET", path, headers=headers)
                else:
                    connection.request("POST", path + "/commands", '{"type": "say", "text": "hi"}', headers)
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)
            return statuses

    with ThreadPoolExecutor(PARALLEL) as clients:
        found = list(chain.from_iterable(clients.map(several, range(PARALLEL))))
    assert len(found) == 3 * PARALLEL
    assert set(found) <= {200, 503}
    assert found.count(200) > PARALLEL


def unlike_catalogue(folder: Path) -> Path:
    """A deck in which each card has a name of its own, in place of the usual one."""
    beans = "".join(
        f'[[beans]]\ncard = "card{each:03}"\ncopies = 1\nbeanometer = {{ 1 = 1 }}\n'
        f'provenance = "house"\nnames = {{ en = "?" }}\n'
        for each in range(104)
    )
    head = 'name = "bohnanza-104"\ntitle = "104 unlike cards"\nsource = "made up"\ntotal = 104\n'
    folder.mkdir()
    (folder / "unlike.toml").write_text(head + beans, encoding="utf-8")
    return folder


@pytest.mark.deep
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_process_says_what_must_not_be_told(service: Service, form: str) -> None:
    """The raw output of all processes after a game, with everything wrong that a client can send."""
    service.environment["FIELDBOOK_LOG"] = form
    service.environment["FIELDBOOK_CATALOGUES"] = str(unlike_catalogue(service.folder / "decks"))
    service.start(*EVERYTHING)
    service.await_ready()
    started = ("web", "worker", "projector", "bots", "webhooks")
    eventually(lambda: all("starts: release" in service.log(name) for name in started), seconds=60)
    key = service.key()
    body = {
        "system": "classic",
        "seats": [{"name": NAMES[0]}, {"name": NAMES[1]}, {"name": NAMES[2], "kind": "bot", "bot": "greedy"}],
    }
    made_game = service.api.call("POST", "/v1/games", body, token=key).json
    tokens = [seat["token"] for seat in made_game["seats"] if "token" in seat]
    provoke(service, made_game["game"], tokens[0])
    party = Party(service.api, made_game["game"], tokens, random.Random(4))
    party.play(depth(40, 150))
    seen = service.api.call("GET", f"/v1/games/{party.game}?as=all", token=key).body
    assert len(set(re.findall(rb"card\d{3}", seen))) > 50

    output = {name: (service.folder / f"{name}.log").read_bytes() for name in EVERYTHING}

    said = b"".join(output.values())
    assert b"/v1/games/{game}/commands" in output["web"]
    for secret in (*tokens, key, SECRET, *NAMES, "Quux", "ticket", "a-private-word"):
        assert secret.encode() not in said, secret
        assert secret.removeprefix("fbs_").removeprefix("fbk_").encode() not in said, secret
    assert re.findall(rb"card\d{3}", said) == []
    if form == "json":
        for name in ("web", "worker", "projector", "bots", "webhooks"):
            for line in output[name].splitlines():
                assert json.loads(line)["level"]


def provoke(service: Service, game: str, token: str) -> None:
    """Send secrets wherever they do not belong, and what is refused for every reason."""
    path = f"/v1/games/{game}"
    for more in (f"?ticket={SECRET}", f"/{SECRET}", f"/events?after={SECRET}", f"?at={token}", "?as=seat:9"):
        service.api.call("GET", path + more, token=token)
    service.api.call("GET", f"/v1/games/{SECRET}", headers={"X-Request-Id": SECRET, "Cookie": SECRET})
    service.api.call("GET", "/v1/games?player=Zaphod-Quux", headers={"Referer": f"http://x/{token}"})
    commands: tuple[Any, ...] = (
        {"type": "say", "text": "a-private-word"},
        {"type": "draw"},
        {"type": SECRET},
        {"type": "offer", "to": 1, "hand": [99]},
        [{"type": "plant", "field": 0}, {"type": "draw"}],
    )
    for command in commands:
        for headers in (
            {},
            {"If-Match": '"1-00000000"'},
            {"Idempotency-Key": SECRET},
            {"Authorization": SECRET},
        ):
            service.api.call("POST", path + "/commands", command, token=token, headers=headers)
    for request, _, _ in WRONG.values():
        answer_to(service.port, request.encode())
