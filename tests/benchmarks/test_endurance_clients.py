"""The clients of a run of endurance, against little servers of which everything is known."""

import random
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic, sleep

import msgspec
import pytest
from msgspec import structs

from events import commands as c
from replay.client.legal import LegalCommands
from tests.benchmarks.chosen import ChosenGame, Step
from tests.benchmarks.endurance import messages as m
from tests.benchmarks.endurance.accounts import Acknowledged
from tests.benchmarks.endurance.doorbell import Doorbell
from tests.benchmarks.endurance.guests import choose
from tests.benchmarks.endurance.persistent import NoAnswer, Persistent
from tests.benchmarks.endurance.players import Lane
from tests.benchmarks.endurance.spectators import Spectator
from tests.benchmarks.endurance.talking import Talker
from tests.benchmarks.own_service import plain_environment
from tests.support.servers import ROOT

REQUEST = b"POST /it HTTP/1.1\r\nIdempotency-Key: 1\r\n\r\n"
AWAY = b"HTTP/1.1 503 Away\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
BODY = b'{"version":4,"hash":"abc","events":[{},{}]}'
DONE = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
AGAIN = DONE.replace(b"OK\r\n", b"OK\r\nIdempotent-Replayed: true\r\n")
IN_FLIGHT = b'HTTP/1.1 409 No\r\nContent-Length: 36\r\n\r\n{"code":"idempotency_key_in_flight"}\n'


@contextmanager
def served(*answers: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """A server that answers so, one request after the other, and hangs up where an answer is not whole."""
    listener, asked, left = socket.create_server(("127.0.0.1", 0)), list[bytes](), iter(answers)

    def talk() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                while request := connection.recv(65536):
                    asked.append(request)
                    answer = next(left, b"")
                    connection.sendall(answer)
                    if b"\r\n\r\n" not in answer or b"event-stream" in answer:
                        break

    Thread(target=talk, daemon=True).start()
    try:
        yield listener.getsockname()[1], asked
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@pytest.mark.parametrize("first", [b"", AWAY, IN_FLIGHT, DONE[:30]], ids=["none", "503", "in flight", "half"])
def test_a_command_without_an_answer_is_sent_again_with_its_key(first: bytes) -> None:
    """The very same request, until it is answered; that it was known is told."""
    with served(first, b"", AGAIN) as (port, asked), closing(Persistent(port)) as connection:
        reply = connection.ask(REQUEST)

    assert (reply.status, reply.known, reply.tries) == (200, True, 3)
    assert asked == [REQUEST] * 3


def test_a_service_that_never_answers_is_given_up() -> None:
    """Else a run would never end."""
    with served() as (port, _), pytest.raises(NoAnswer, match="POST /it"):
        Persistent(port, persistence=0.3).ask(REQUEST)


def played(answers: tuple[bytes, ...], steps: int, interval: float) -> list[m.Told]:
    """What a lane tells of a game of so many commands."""
    games: SimpleQueue[ChosenGame] = SimpleQueue()
    games.put(ChosenGame("game", tuple(Step(2, REQUEST) for _ in range(steps)), 9))
    told: list[m.Told] = []
    with served(*answers) as (port, _):
        lane = Lane(port, games, interval, told.append)
        thread = Thread(target=lane.run, args=(monotonic(),))
        thread.start()
        while not any(isinstance(each, m.Ended | m.Wrong) for each in told):
            sleep(0.01)
        lane.stop.set()
        thread.join()
    return told


def test_what_was_acknowledged_is_told_with_version_hash_seat_and_number_of_entries() -> None:
    """And that the game was begun and has ended."""
    begun, answered, ended = played((DONE,), 1, 0.01)

    assert (begun, ended) == (m.Begun("game"), m.Ended("game"))
    assert isinstance(answered, m.Answered)
    assert answered.told == Acknowledged(2, 4, "abc", 2)
    assert (answered.tries, answered.known) == (1, False)


def test_what_a_restart_keeps_back_counts_as_late() -> None:
    """Each command has its moment: after one that took long, the next ones are sent at once and are late too."""
    answers = (AWAY, AWAY, AWAY, *[DONE] * 3)
    late = [each.seconds for each in played(answers, 3, 0.1) if isinstance(each, m.Answered)]

    assert len(late) == 3
    assert late[0] >= 0.3
    assert late[1] >= 0.2
    assert late[2] >= 0.1


def test_without_a_pace_a_command_is_due_when_the_one_before_it_is_answered() -> None:
    """So what took long does not make the next ones late, and the rate is the highest that the service can do."""
    answers = (*[AWAY] * 10, *[DONE] * 3)
    late = [each.seconds for each in played(answers, 3, 0.0) if isinstance(each, m.Answered)]

    assert late[0] >= 1.0
    assert max(late[1:]) < 1.0


def test_a_legal_command_that_is_refused_is_told() -> None:
    """It was chosen by the same rules."""
    told = played((b"HTTP/1.1 422 No\r\nContent-Length: 0\r\n\r\n",), 1, 0.01)

    assert [type(each) for each in told] == [m.Begun, m.Wrong]


def stream(*versions: int, end: bool = False) -> bytes:
    """A stream that brings these versions and is cut off, or comes to its end."""
    frames = [b'id: %d-ab\nevent: x\ndata: {"at":9999999999999}\n\n' % each for each in versions]
    last = b"event: end\ndata: {}\n\n" if end else b""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1000\n\n"
    return head + b"event: presence\ndata: {}\n\n: still here\n\n" + b"".join(frames) + last


def watched(*answers: bytes, check: Callable[[list[bytes]], None] = lambda _: None) -> list[m.Told]:
    """What a spectator tells of these streams, one after the other."""
    told: list[m.Told] = []
    with served(*answers) as (port, asked):
        Spectator(port, "game", told.append).run(Event())
        check(asked)
    return told


def test_a_spectator_goes_on_where_its_stream_was_cut_off() -> None:
    """By Last-Event-ID, over answers that only say `later`, to the end of the game."""

    def check(asked: list[bytes]) -> None:
        assert b"Last-Event-ID" not in asked[0]
        assert b"Last-Event-ID: 2-ab" in asked[1]
        assert b"Last-Event-ID: 2-ab" in asked[2]

    told = watched(stream(1, 2), AWAY, stream(3, 4, end=True), check=check)

    assert told == [m.Watched("game", 4)]


@pytest.mark.parametrize("versions", [(1, 3), (1, 1), (2,)], ids=["a gap", "twice", "not from the first on"])
def test_a_spectator_tells_what_is_missing_or_comes_twice(versions: tuple[int, ...]) -> None:
    """Whatever was interrupted."""
    told = watched(stream(*versions, end=True))

    assert any(isinstance(each, m.Wrong) for each in told)


def test_a_webhook_is_agreed_to_and_what_it_tells_is_kept() -> None:
    """A challenge is answered with itself; what is told twice is one game."""
    bell = Doorbell()
    finished = b'{"type":"game.finished","data":{"game":"g"}}'

    assert bell.ring(b'{"type":"webhook.verify","data":{"challenge":"c"}}') == b"c"
    assert [bell.ring(finished), bell.ring(finished)] == [b"", b""]
    assert bell.told == {"g"}


def test_a_person_at_a_table_with_bots_plays_on() -> None:
    """Whoever leaves a table of one person ends it, and thousands of games of a few events are no load of players."""
    ends = ({"type": "resign"}, {"type": "offer_end", "kind": "drawn"})
    leaves = LegalCommands(
        game="g", version=5, hash="a", status="running", seat=0, waiting_for=(0,), commands=ends
    )
    plays = structs.replace(leaves, commands=(*ends, {"type": "draw"}))

    assert len(leaves.ready) == 2
    assert choose(leaves, random.Random(1)) is None
    assert {type(choose(plays, random.Random(seed))) for seed in range(20)} == {c.Draw}


@pytest.mark.parametrize("module", ["players", "spectators"])
def test_a_process_of_the_load_ends_when_it_is_told_to(module: str) -> None:
    """It says that it is done, and nothing else: an interpreter that breaks while it ends would say so."""
    ended = begun(module, msgspec.json.encode(m.Stop()) + b"\n", closed=False)

    assert (ended.returncode, m.told(ended.stdout), ended.stderr) == (0, m.Done(), b"")


def test_a_process_of_the_load_ends_when_nobody_gives_it_orders_any_more() -> None:
    """Whoever gave them may have been killed."""
    ended = begun("players", b"", closed=True)

    assert (ended.returncode, ended.stdout) == (1, b"")


def begun(module: str, orders: bytes, *, closed: bool) -> "subprocess.CompletedProcess[bytes]":
    """A process of the load that has been given these orders, when it has ended."""
    setting = msgspec.json.encode(m.Setting(port=1, games=1, rate=1.0)) + b"\n"
    with subprocess.Popen(
        [sys.executable, "-m", f"tests.benchmarks.endurance.{module}"],
        cwd=ROOT,
        env=plain_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(setting + orders)
        process.stdin.flush()
        if closed:
            process.stdin.close()
        status = process.wait(60)
        assert process.stdout is not None
        assert process.stderr is not None
        return subprocess.CompletedProcess(module, status, process.stdout.read(), process.stderr.read())


def test_a_process_that_is_left_holds_no_file_open() -> None:
    """What stays open is only found when the memory is cleared, in the midst of something else."""
    before = frozenset(Path("/proc/self/fd").iterdir())
    setting = m.Setting(port=1, games=1, rate=None)
    with Talker("tests.benchmarks.endurance.spectators", setting, lambda _: None) as talker:
        assert not talker.has_ended
    talker.tell(m.Stop())
    assert frozenset(Path("/proc/self/fd").iterdir()) <= before
