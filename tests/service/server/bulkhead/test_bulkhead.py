"""What takes long is answered by a process of its own; who plays waits for nothing of it, whatever becomes of it."""

import os
import random
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.server.web_worker import GIVES_WAY
from tests.support.held_loops import HeldLoops
from tests.support.http_play import Answer, OverHttp, Party
from tests.support.processes import NAMES, Service
from tests.support.servers import eventually

PER_REQUEST = {"date", "x-request-id", "ratelimit"}
"""Headers that differ from one answer to the next."""


@pytest.fixture(scope="module")
def loops(tmp_path_factory: pytest.TempPathFactory) -> HeldLoops:
    """What holds up a process's loop."""
    return HeldLoops(tmp_path_factory.mktemp("loops") / "held")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, loops: HeldLoops) -> Iterator[Service]:
    """The HTTP interface and a store."""
    with Service(tmp_path_factory.mktemp("bulkhead")) as started:
        started.start("store", "web", **loops.environment)
        started.await_ready()
        yield started


@pytest.fixture(scope="module")
def party(service: Service) -> Party:
    """A game that was played a while."""
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES]}
    made = service.api.call("POST", "/v1/games", body, token=service.key()).json
    found = Party(service.api, made["game"], [each["token"] for each in made["seats"]], random.Random(1))
    for _ in range(30):
        play(found)
    return found


def play(party: Party) -> None:
    """Give one more command."""
    chosen = party.turn()
    assert chosen is not None
    party.send(*chosen)


def behind(service: Service) -> int:
    """The process that does what takes long; it gives way to the others."""
    mine = os.getpriority(os.PRIO_PROCESS, service.process_id("web"))
    found = [
        each
        for each in service.children("web")
        if os.getpriority(os.PRIO_PROCESS, each) == min(mine + GIVES_WAY, 19)
    ]
    assert len(found) == 1, found
    return found[0]


def history(service: Service, party: Party) -> Answer:
    """Something that takes long, through the eyes of a seat."""
    return service.api.call("GET", f"/v1/games/{party.game}/history?text=en", token=party.tokens[0])


def same(answer: Answer) -> tuple[int, bytes, dict[str, str]]:
    """What two answers to one request have alike."""
    headers = {name: value for name, value in answer.headers.items() if name not in PER_REQUEST}
    return answer.status, answer.body, headers


def test_players_go_on_while_what_takes_long_stands_still(service: Service, party: Party) -> None:
    """The process behind is stopped: whoever asked it waits, commands are answered, and then so is the question."""
    stopped = behind(service)
    with ThreadPoolExecutor(1) as threads:
        os.kill(stopped, signal.SIGSTOP)
        try:
            waiting = threads.submit(history, service, party)
            for _ in range(5):
                play(party)
            assert not waiting.done()
        finally:
            os.kill(stopped, signal.SIGCONT)
        assert waiting.result().status == 200


def test_a_killed_process_behind_is_replaced(service: Service, party: Party) -> None:
    """What waited for it is answered by the next one."""
    old = behind(service)
    with ThreadPoolExecutor(1) as threads:
        os.kill(old, signal.SIGSTOP)
        waiting = threads.submit(history, service, party)
        play(party)
        os.kill(old, signal.SIGKILL)
        assert waiting.result().status == 200
    # Until its parent has taken note of it, the one that was killed is still a child.
    eventually(lambda: old not in service.children("web") and len(service.children("web")) == 3)
    assert behind(service) != old


def test_an_answer_from_behind_is_that_of_the_others(
    service: Service, party: Party, loops: HeldLoops
) -> None:
    """Whole ones and those in parts, to GET and to HEAD, problems, and what comes with a body.

    The others answer while the loop behind stands still, though every other thread of that process goes on.
    """
    record = service.api.call("GET", f"/v1/games/{party.game}/record", token=party.tokens[0]).body
    asked = (
        ("GET", f"/v1/games/{party.game}/record", None),
        ("HEAD", f"/v1/games/{party.game}/record", None),
        ("GET", f"/v1/games/{party.game}/history?text=en", None),
        ("GET", f"/v1/games/{party.game}/scene?at=x", None),
        ("GET", "/v1/games/nobody/record", None),
        ("POST", "/v1/verifications", record),
    )

    def ask() -> list[tuple[int, bytes, dict[str, str]]]:
        return [
            same(
                service.api.call(
                    method,
                    path,
                    raw=body,
                    token=party.tokens[0],
                    headers={"X-Request-Id": "the-same", "Content-Type": "application/x-ndjson"},
                )
            )
            for method, path, body in asked
        ]

    eventually(lambda: len(service.children("web")) == 3)
    told = ask()
    with loops.held(behind(service)):
        # It is asked nothing more once it has not said for a while that it works.
        eventually(lambda: _is_answered(service), seconds=20)
        assert ask() == told
    assert [status for status, _, _ in told] == [200, 200, 200, 422, 404, 200]


def _is_answered(service: Service) -> bool:
    try:
        return OverHttp(service.port, 1.0).call("GET", "/v1/games/nobody/record").status == 404
    except TimeoutError:
        return False


def test_who_says_that_it_sends_nothing_more_has_its_whole_answer(service: Service, party: Party) -> None:
    """As where nothing is forwarded (RFC 9112, section 9.6: a half-closed connection still takes its answer)."""
    asked = f"GET /v1/games/{party.game}/history?text=en HTTP/1.1\r\nHost: x\r\n"
    asked += f"Authorization: Bearer {party.tokens[0]}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        connection.sendall(asked.encode())
        connection.shutdown(socket.SHUT_WR)
        found = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert found.partition(b"\r\n\r\n")[2] == history(service, party).body
