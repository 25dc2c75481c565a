"""The whole service as real processes: played through, killed in the middle, cut off from its store, stopped."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import GamePolicy
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from service.verification.store import Receipts
from tests.support.http_play import OverHttp, await_verdict, events_of
from tests.support.processes import EVERYTHING, Service
from tests.support.recorded_games import recorded_game
from tests.support.servers import ROOT, eventually

SHORT_GAME: Final = ("bean-duel", 2)
"""For games that are played to their end only because they can be."""
BOTS = [
    {"name": f"Bot {number}", "kind": "bot", "bot": bot}
    for number, bot in enumerate(("greedy", "random", "random"))
]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service on a folder of its own, not yet started."""
    with Service(tmp_path) as service:
        yield service


def status(service: Service, game: str) -> str:
    """How far a game is."""
    return str(service.api.call("GET", f"/v1/games/{game}").json["status"])


def await_version(service: Service, game: str, least: int) -> None:
    """Wait until a game has come as far as this version."""
    eventually(
        lambda: bool(service.api.call("GET", f"/v1/games/{game}").json["version"] >= least), seconds=60
    )


def test_three_people_play_to_the_end(service: Service, tmp_path: Path) -> None:
    """With only the legal commands as a guide; the verdict is valid, and the record verifies without the service."""
    service.start(*EVERYTHING)
    service.await_ready()
    party = service.people(seed=1)
    assert party.play()
    assert status(service, party.game) == "finished"
    assert await_verdict(service.api, party.game) == "valid"
    record = tmp_path / "game.ndjson"
    record.write_bytes(service.api.call("GET", f"/v1/games/{party.game}/record").body)
    verified = subprocess.run(
        [sys.executable, "-m", "replay", "verify", str(record)], cwd=ROOT, capture_output=True, check=False
    )
    assert verified.returncode == 0, verified.stdout
    listed = service.api.call("GET", "/v1/games?status=finished&validation=valid").json["games"]
    assert [game["game"] for game in listed] == [party.game]


def test_a_killed_web_process_loses_nothing(service: Service) -> None:
    """SIGKILL in the middle of a game: every acknowledged event is still there, and the game goes on to its end."""
    service.start("store", "web")
    service.await_ready()
    party = service.people(2, *SHORT_GAME)
    for _ in range(3):
        party.play(25)
        service.kill("web")
        service.start("web")
        service.await_ready()
        hashes = {event["entry"]["version"]: event["hash"] for event in events_of(service.api, party.game)}
        assert party.acknowledged.items() <= hashes.items()
    assert party.play()
    assert status(service, party.game) == "finished"


def test_bots_play_to_the_end_though_their_process_is_killed(service: Service) -> None:
    """A table of bots needs nobody; a restarted process goes on where the killed one stood."""
    service.start("store", "web", "bots")
    service.await_ready()
    body = {"system": "classic", "seats": BOTS}
    game = service.api.call("POST", "/v1/games", body, token=service.key()).json["game"]
    for least in (40, 80):
        await_version(service, game, least)
        service.kill("bots")
        service.start("bots")
    eventually(lambda: status(service, game) == "finished", seconds=90)
    versions = [event["entry"]["version"] for event in events_of(service.api, game)]
    assert versions == list(range(1, len(versions) + 1))


def test_a_store_that_is_down_is_said_to_be_down(service: Service) -> None:
    """503 with Retry-After while it is away; once it is back everything goes on and nothing is missing."""
    service.start("store", "web", "projector", "bots")
    service.await_ready()
    party = service.people(3, *SHORT_GAME)
    party.play(10)
    before = events_of(service.api, party.game)
    service.stop("store")
    for method, path, body in (
        ("GET", f"/v1/games/{party.game}", None),
        ("GET", f"/v1/games/{party.game}/events", None),
        ("GET", f"/v1/games/{party.game}/commands", None),
        ("POST", f"/v1/games/{party.game}/commands", {"type": "say", "text": "hello"}),
        ("GET", "/v1/games", None),
        ("GET", "/readyz", None),
    ):
        answer = service.api.call(method, path, body, token=party.tokens[0] if "games/" in path else None)
        assert answer.status == 503, (path, answer.body)
        assert answer.headers["content-type"] == "application/problem+json"
        assert int(answer.headers["retry-after"]) > 0
        assert answer.json["code"] in {"store_unavailable", "not_ready"}
    assert service.api.call("GET", "/healthz").status == 200
    service.start("store")
    service.await_ready()
    assert events_of(service.api, party.game) == before
    assert party.play()
    eventually(lambda: bool(_listed(service) == [(party.game, "finished")]), seconds=30)


def _listed(service: Service) -> list[Any]:
    return [(game["game"], game["status"]) for game in service.api.call("GET", "/v1/games").json["games"]]


def test_one_signal_stops_everything(service: Service) -> None:
    """SIGTERM with a stream open ends `fieldbook up` and leaves no process behind."""
    service.start("up")
    service.await_ready()
    key_file = service.folder / "data" / "first-key"
    eventually(key_file.exists)
    key = key_file.read_text().strip()
    assert key_file.stat().st_mode & 0o077 == 0
    body = {"system": "classic", "seats": [{"name": name} for name in ("Ada", "Bob", "Cleo")]}
    game = service.api.call("POST", "/v1/games", body, token=key).json["game"]
    if sys.platform == "linux":
        assert len(service.alive()) >= 6
    with closing(_open_stream(service.port, game)) as stream:
        assert stream.recv(65536).startswith(b"HTTP/1.1 200")
        assert service.stop("up") in {0, -signal.SIGTERM, 128 + signal.SIGTERM}
        while stream.recv(65536):
            pass
    eventually(lambda: service.alive() == [])


def _open_stream(port: int, game: str) -> socket.socket:
    stream = socket.create_connection(("127.0.0.1", port), timeout=30)
    head = f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    stream.sendall(head.encode())
    return stream


def raw(port: int, request: bytes) -> bytes:
    """Everything that is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while part := connection.recv(65536):
            found += part
        return found


def test_bodies_without_a_length_are_bounded(service: Service) -> None:
    """A chunked body is read as far as a body may be long, also when it never ends, and the service goes on."""
    service.start("store", "web")
    service.await_ready()
    party = service.people(seed=4)
    head = (
        f"POST /v1/games/{party.game}/commands HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {party.tokens[0]}\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    ).encode()
    small = json.dumps({"type": "say", "text": "in pieces"}).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (small[:9], small[9:]))
    assert raw(service.port, head + chunks + b"0\r\n\r\n").startswith(b"HTTP/1.1 200")
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as endless:
        endless.sendall(head)
        answer = b""
        try:
            for _ in range(400):
                endless.sendall(chunk)
        except OSError:
            pass
        try:
            while part := endless.recv(65536):
                answer += part
        except ConnectionResetError:
            pass
    assert answer == b"" or b"413" in answer.split(b"\r\n")[0]
    assert OverHttp(service.port).call("GET", f"/v1/games/{party.game}").status == 200
    broken = raw(service.port, head + b"zz\r\n")
    assert broken.startswith(b"HTTP/1.1 400")
    assert b"body_cut_off" in broken


def test_a_client_that_goes_away_frees_its_place(service: Service) -> None:
    """Streams and long polls of clients that have closed their connections are not held until the next event."""
    service.environment["WEB_PROCESSES"] = "1"
    service.start("store", "web")
    service.await_ready()
    party = service.people(seed=5)
    version = service.api.call("GET", f"/v1/games/{party.game}").json["version"]
    clients = [_open_stream(service.port, party.game) for _ in range(3)]
    poll = socket.create_connection(("127.0.0.1", service.port))
    poll.sendall(
        f"GET /v1/games/{party.game}/events?after={version}&wait=60 HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    )
    eventually(lambda: open_streams(service) == 4)
    for client in (*clients, poll):
        client.close()
    eventually(lambda: open_streams(service) == 0)


def open_streams(service: Service) -> int:
    """How many streams and long polls the service holds open."""
    return int(service.api.call("GET", "/readyz").json["streams"])


def test_a_client_cannot_say_where_the_application_is(service: Service) -> None:
    """Headers that a proxy could set are not taken from clients."""
    service.start("store", "web")
    service.await_ready()
    for name in ("SCRIPT_NAME", "PATH_INFO", "SCRIPT-NAME"):
        answer = service.api.call("GET", "/healthz", headers={name: "/elsewhere"})
        assert (answer.status, answer.json) == (200, {"status": "alive"})


@pytest.mark.soak
def test_several_workers_audit_every_game(service: Service) -> None:
    """`fieldbook audit --all` waits for them with the log's own list; a second run finds it all done."""
    service.start("store")
    store = eventually_open(service)
    games = [recorded_game(seed, most_offers=12) for seed in range(1, 7)]
    for game in games:
        private = {"secret": game.table.secret, **GamePolicy().private_fields()}
        store.append(
            game.table.game, game.log, expected_version=0, command_id="t", fingerprint="t", private=private
        )
    service.start("worker")
    with closing(store), service.another("worker"):
        first, second = audited(service), audited(service)
        receipts = [receipt for game in games for receipt in Receipts(store).of(game.table.game)]

    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert numbers(first) == [6, 6, 0, 0, 0, 0, 0]
    assert numbers(second) == [6, 6, 0, 0, 0, 0, 6]
    assert [receipt.result for receipt in receipts] == ["agrees"] * 6


def eventually_open(service: Service) -> RedisEventStore:
    """The store, once it is up."""
    return open_store(StoreSettings.from_environment(service.environment))


def audited(service: Service) -> subprocess.CompletedProcess[str]:
    """Run `fieldbook audit --all`."""
    return subprocess.run(
        [sys.executable, "-m", "service.command_line", "audit", "--all"],
        cwd=ROOT,
        env=service.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def numbers(done: subprocess.CompletedProcess[str]) -> list[int]:
    """The numbers of the table that an audit prints."""
    row = [line for line in done.stdout.splitlines() if line.startswith("│")][-1]
    return [int(cell) for cell in row.strip("│").split("│")]
